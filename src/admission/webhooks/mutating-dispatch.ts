import type { AdmissionAttributes, Invocation } from '../../api/admission.ts';
import { goQuote } from '../../api/go-quote.ts';
import type { JsonObject } from '../../api/json.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { internalError } from '../../api/status-errors.ts';
import { inTurns } from '../../api/turns.ts';
import { Reinvocation } from '../reinvocation.ts';
import { callHook } from './call-hook.ts';
import { HookCallError } from './hook-errors.ts';
import type { HookCall } from './hook.ts';
import { isSelected } from './hook-selection.ts';
import { patchedObject, readHookPatch } from './json-patch.ts';
import type { ReviewResponse } from './review.ts';
import type { Dispatch, DispatchContext } from './dispatch.ts';
import { type WrittenVersion, WrittenVersions } from '../matching/written-versions.ts';

/** Calls webhooks one after the other, each with the object as the one before has left it. */
export class MutatingDispatch implements Dispatch {
  readonly #context: DispatchContext;
  readonly #reinvocations = new WeakMap<AdmissionAttributes, Reinvocation>();

  constructor(context: DispatchContext) {
    this.#context = context;
  }

  async run(calls: readonly HookCall[], attributes: AdmissionAttributes, invocation: Invocation): Promise<void> {
    const state = this.#reinvocations.get(attributes) ?? new Reinvocation();
    this.#reinvocations.set(attributes, state);
    // Built-in plugins may have changed the object since.
    if (invocation.isAgain && state.isChanged(attributes.object)) state.changed();
    const versions = new WrittenVersions(attributes);
    for (const call of calls) {
      const { hook } = call;
      // A webhook is never called for the first time in the second pass.
      if (invocation.isAgain && !state.isDue(hook.uid)) continue;
      // oxlint-disable-next-line no-await-in-loop -- each sees what the one before has done
      if (!(await isSelected(this.#context, call, attributes, versions))) continue;
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (await this.#call(call, attributes, versions)) {
        state.changed();
        invocation.runAgain();
      }
      if (hook.reinvokes) state.invoked(hook.uid);
    }
    state.keep(attributes.object);
  }

  /** Whether the webhook has changed the object. */
  async #call(call: HookCall, attributes: AdmissionAttributes, versions: WrittenVersions): Promise<boolean> {
    const version = await versions.in(call.kind);
    const write = { attributes, version, isMutating: true };
    const patched = await callHook(this.#context, call, write, (response) => patchedBy(call, response, version));
    if (patched === undefined) return false;
    const object = await inTurns(version.objects.decode({ ...patched, ...typeOf(version.objects.object) }));
    const isChanged = version.objects.encode(object) !== version.objectText;
    await attributes.replaceObject(object);
    versions.forget();
    return isChanged;
  }
}

/** The object with the patch of an answer; undefined without one. */
async function patchedBy(
  { hook }: HookCall,
  { patch, patchType }: ReviewResponse,
  version: Pick<WrittenVersion, 'object'>,
): Promise<JsonObject | undefined> {
  if (patch === '') return undefined;
  const operations = readHookPatch(hook.name, patch);
  if (operations.length === 0) return undefined;
  if (version.object === null) {
    const why = 'attempted to modify the object, which is not supported for this operation';
    throw internalError(`admission webhook ${goQuote(hook.name)} ${why}`);
  }
  if (patchType !== 'JSONPatch') {
    throw new HookCallError(hook.name, `unsupported patch type ${goQuote(patchType)}`, { status: 400 });
  }
  return await inTurns(patchedObject(version.object as JsonObject, operations)); // JSON of an object
}

/** A patch cannot make the object one of another kind. */
function typeOf(object: KubernetesObject | undefined): JsonObject {
  return object === undefined ? {} : { kind: object.kind, apiVersion: object.apiVersion };
}
