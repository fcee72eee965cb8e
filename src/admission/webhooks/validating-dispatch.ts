import type { AdmissionAttributes } from '../../api/admission.ts';
import { LateRequestError } from '../../api/status-errors.ts';
import { callHook } from './call-hook.ts';
import type { HookCall } from './hook.ts';
import { isSelected } from './hook-selection.ts';
import type { Dispatch, DispatchContext } from './dispatch.ts';
import { WrittenVersions } from '../matching/written-versions.ts';

/** Calls all webhooks at the same time; the first rejection is what clients get. */
export class ValidatingDispatch implements Dispatch {
  readonly #context: DispatchContext;

  constructor(context: DispatchContext) {
    this.#context = context;
  }

  async run(calls: readonly HookCall[], attributes: AdmissionAttributes): Promise<void> {
    const versions = new WrittenVersions(attributes);
    const selected: HookCall[] = [];
    for (const call of calls) {
      const selecting = isSelected(this.#context, call, attributes, versions);
      // oxlint-disable-next-line no-await-in-loop -- the first error ends the write before any webhook is called
      if (selecting instanceof Promise ? await selecting : selecting) selected.push(call);
    }
    const rejections: unknown[] = [];
    const beganMs = performance.now();
    await Promise.all(
      selected.map(async (call, index) => {
        const version = await versions.in(call.kind);
        const write = { attributes, version, isMutating: false, place: `round_0_index_${index}` };
        await callHook(this.#context, call, write, () => undefined).catch((error: unknown) => rejections.push(error));
      }),
    );
    attributes.waited(performance.now() - beganMs);
    if (rejections.length > 0) throw rejections.find((each) => each instanceof LateRequestError) ?? rejections[0];
  }
}
