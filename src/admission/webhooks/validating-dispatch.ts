import type { AdmissionAttributes } from '../../api/contracts/admission.ts';
import { PassedOn } from '../../api/contracts/request-passing.ts';
import { LateRequestError } from '../../api/errors/status-errors.ts';
import { callHook } from './call-hook.ts';
import { unreviewable } from './hook-errors.ts';
import type { HookCall } from './hook.ts';
import { isSelected } from './hook-selection.ts';
import type { Dispatch, DispatchContext } from './dispatch.ts';
import { type WrittenVersion, WrittenVersions } from '../matching/written-versions.ts';

/** Calls all webhooks at the same time; the first rejection is what clients get. */
export class ValidatingDispatch implements Dispatch {
  readonly #context: DispatchContext;

  constructor(context: DispatchContext) {
    this.#context = context;
  }

  async run(calls: readonly HookCall[], attributes: AdmissionAttributes): Promise<void> {
    const versions = new WrittenVersions(attributes);
    // The first error ends the write before any webhook is called.
    const selected = await this.#select(calls, attributes, versions).catch((error: unknown) => {
      throw unreviewable(error, 1);
    });
    const rejections: unknown[] = [];
    const beganMs = performance.now();
    await Promise.all(
      selected.map(async ({ call, version }, index) => {
        const write = { attributes, version, isMutating: false, place: `round_0_index_${index}` };
        await callHook(this.#context, call, write, () => undefined).catch((error: unknown) => rejections.push(error));
      }),
    );
    attributes.waited(performance.now() - beganMs);
    if (rejections.length === 0) return;
    const late = rejections.find((each) => each instanceof LateRequestError);
    // What one of them rejects needs no other thread.
    throw late ?? rejections.find((each) => !(each instanceof PassedOn)) ?? rejections[0];
  }
  async #select(
    calls: readonly HookCall[],
    attributes: AdmissionAttributes,
    versions: WrittenVersions,
  ): Promise<readonly SelectedCall[]> {
    const selected: SelectedCall[] = [];
    for (const call of calls) {
      const selecting = isSelected(this.#context, call, attributes, versions);
      // oxlint-disable-next-line no-await-in-loop -- in their order
      if (!(await selecting)) continue;
      // oxlint-disable-next-line no-await-in-loop -- as above
      selected.push({ call, version: await versions.in(call.kind) });
    }
    return selected;
  }
}

interface SelectedCall {
  readonly call: HookCall;
  readonly version: WrittenVersion;
}
