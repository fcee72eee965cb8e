import type { AdmissionAttributes, Invocation } from '../../api/contracts/admission.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import type { JsonObject } from '../../api/json/json.ts';
import { plainSource, spelledSource } from '../../api/json/json-tree.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { internalError } from '../../api/errors/status-errors.ts';
import { Reinvocation } from '../reinvocation.ts';
import { annotationPrefixes, callHook, type HookWrite } from './call-hook.ts';
import { HookCallError, unreviewable } from './hook-errors.ts';
import type { HookCall } from './hook.ts';
import { isSelected } from './hook-selection.ts';
import { auditedPatch, patchedObject, readHookPatch } from './json-patch.ts';
import { type PatchedWrite, withFittingMetadata } from './patched-metadata.ts';
import { checkPatchedKind } from './patched-kind.ts';
import type { ReviewResponse } from './review.ts';
import type { Dispatch, DispatchContext } from './dispatch.ts';
import { readObject, type WrittenVersion, WrittenVersions } from '../matching/written-versions.ts';

/** Calls webhooks one after the other, each with the object as the one before has left it. */
export class MutatingDispatch implements Dispatch {
  readonly #context: DispatchContext;
  readonly #reinvocations = new WeakMap<AdmissionAttributes, Reinvocation>();
  readonly #patched = new WeakSet<AdmissionAttributes>();

  constructor(context: DispatchContext) {
    this.#context = context;
  }

  async run(calls: readonly HookCall[], attributes: AdmissionAttributes, invocation: Invocation): Promise<void> {
    const state = this.#reinvocations.get(attributes) ?? new Reinvocation();
    this.#reinvocations.set(attributes, state);
    // Built-in plugins may have changed the object since.
    if (invocation.isAgain && state.isChanged(attributes.object)) state.changed();
    const versions = new WrittenVersions(attributes);
    for (const [at, call] of calls.entries()) {
      const { hook } = call;
      // A webhook is never called for the first time in the second pass.
      if (invocation.isAgain && !state.isDue(hook.uid)) continue;
      // oxlint-disable-next-line no-await-in-loop -- each sees the changes of the previous one
      const version = await this.#seenBy(call, attributes, versions);
      if (version === undefined) continue;
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (
        await this.#call(call, attributes, {
          versions,
          version,
          later: calls.slice(at + 1),
          isAgain: invocation.isAgain,
        })
      ) {
        state.changed();
        invocation.runAgain();
      }
      if (hook.reinvokes) state.invoked(hook.uid);
    }
    state.keep(attributes.object);
  }

  /** The version of the write that a webhook sees; undefined if it is not called. */
  async #seenBy(
    call: HookCall,
    attributes: AdmissionAttributes,
    versions: WrittenVersions,
  ): Promise<WrittenVersion | undefined> {
    try {
      const selected = await isSelected(this.#context, call, attributes, versions);
      return selected ? await versions.in(call.kind) : undefined;
    } catch (error) {
      throw unreviewable(error, 2);
    }
  }

  /** Whether the webhook has changed the object. */
  async #call(call: HookCall, attributes: AdmissionAttributes, round: Round): Promise<boolean> {
    const { configuration, name: webhook } = call.hook;
    const place = `round_${round.isAgain ? 1 : 0}_index_${call.index}`;
    let mutated = false;
    try {
      mutated = await this.#mutate(call, { attributes, version: round.version, isMutating: true, place }, round);
    } finally {
      attributes.annotate(`${annotationPrefixes.mutation}${place}`, () =>
        JSON.stringify({ configuration, webhook, mutated }),
      );
    }
    return mutated;
  }

  async #mutate(call: HookCall, write: HookWrite, { versions, later }: Round): Promise<boolean> {
    const { attributes, version, place } = write;
    const beganMs = performance.now();
    const patched = await callHook(this.#context, call, write, (response) =>
      patchedBy(call, response, version),
    ).finally(() => attributes.waited(performance.now() - beganMs));
    if (patched === undefined) return false;
    const object = decoded(patched, { kind: call.kind, plural: attributes.resource }, version);
    const isChanged = this.#isFirstPatch(attributes, version) || !(await isWrittenAs(version, object));
    attributes.annotate(
      `${annotationPrefixes.patch}${place}`,
      () => {
        const { configuration, name: webhook } = call.hook;
        const head = JSON.stringify({ configuration, webhook }).slice(0, -1);
        return `${head},"patch":${auditedPatch(patched.patch)},"patchType":"JSONPatch"}`;
      },
      'Request',
    );
    await attributes.replaceObject(object).catch((error: unknown) => {
      // The reference converts what a webhook has changed when the next one needs another version, or at last.
      throw later.some(({ kind }) => kind.version !== call.kind.version) ? unreviewable(error, 2) : error;
    });
    versions.forget();
    return isChanged;
  }

  /**
   * The first patch of an object always counts as a change in the reference: the times of its field owners are those of
   * the clock until they have been JSON once.
   */
  #isFirstPatch(attributes: AdmissionAttributes, { objects }: WrittenVersion): boolean {
    const isFirst = !this.#patched.has(attributes);
    this.#patched.add(attributes);
    return isFirst && objects.isTyped && (objects.object?.metadata.managedFields ?? []).length > 0;
  }
}

async function isWrittenAs({ objects, object: before }: WrittenVersion, object: KubernetesObject): Promise<boolean> {
  return objects.encode(object).equals(await before());
}

interface Round {
  readonly versions: WrittenVersions;
  readonly version: WrittenVersion;
  /** Webhooks that may be called after this one. */
  readonly later: readonly HookCall[];
  readonly isAgain: boolean;
}

interface Patched {
  readonly object: JsonObject;
  /** Whether it may have numbers that keep their spelling. */
  readonly isSpelled: boolean;
  /** Base64. */
  readonly patch: string;
}

/** The object with the patch of an answer; undefined without one. */
async function patchedBy(
  { hook }: HookCall,
  { patch, patchType }: ReviewResponse,
  version: WrittenVersion,
): Promise<Patched | undefined> {
  if (patch === '') return undefined;
  const read = readHookPatch(hook.name, patch);
  if (read.operations.length === 0) return undefined;
  if (version.objects.object === undefined) {
    const why = 'attempted to modify the object, which is not supported for this operation';
    throw internalError(`admission webhook ${goQuote(hook.name)} ${why}`);
  }
  if (patchType !== 'JSONPatch') {
    throw new HookCallError(hook.name, `unsupported patch type ${goQuote(patchType)}`, { status: 400 });
  }
  const object = patchedObject(await readObject(version), read);
  return { object, isSpelled: read.isSpelled, patch };
}

/** Throws a StatusError if a patch has broken the object. */
function decoded(
  { object: patched, isSpelled }: Patched,
  { kind, plural }: Pick<PatchedWrite, 'kind' | 'plural'>,
  { objects }: WrittenVersion,
): KubernetesObject {
  checkPatchedKind(patched, { kind, isTyped: objects.isTyped });
  const { object, oldObject } = objects;
  const named = object === undefined ? patched : { ...patched, kind: object.kind, apiVersion: object.apiVersion };
  const fitting = objects.isTyped ? named : withFittingMetadata(named, { kind, plural, oldObject });
  return objects.decode(isSpelled ? spelledSource(fitting) : plainSource(fitting));
}
