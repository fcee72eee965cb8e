import type { JsonObject } from '../api/json/json.ts';
import type { JsonSource } from '../api/json/json-tree.ts';
import { cloneObject, type KubernetesObject } from '../api/meta/object.ts';
import { currentSpan } from '../api/contracts/span.ts';
import { keepNotes } from '../api/json/written-notes.ts';
import { notFound } from '../api/errors/status-errors.ts';
import type { FieldValidation } from '../codec/decode-body.ts';
import { applyPatch, type PatchedObject, type PatchFormat, type PatchRequest } from '../patch/apply-patch.ts';
import { ensureNamespaceMatches, expectedNamespace } from '../registry/write/metadata.ts';
import { knownFields } from '../registry/stored/read-forms.ts';
import { updateObject, type UpdateResult } from '../registry/write/update.ts';
import { servedForm, setEntries, trackOwners, withoutOwnersIfTooLarge } from './field-owners.ts';
import { claimedScaleSchema, claimedSchema } from './kinds.ts';
import { type Operation, storeOfOperation, type WriteOptions, writeScope } from './operation.ts';
import { defaultedForStore, unconvertibleIn } from './resource-scope.ts';
import { admitted, checkName } from './update.ts';

/** A patch other than apply, as sent. */
export interface Patch {
  readonly format: PatchFormat;
  /** From `readPatch`. */
  readonly source: JsonSource;
  readonly fieldValidation: FieldValidation;
}

/** Patches the object called `name`, in the served version. Throws StatusErrors. */
export async function patch(
  operation: Operation,
  name: string,
  { format, source, fieldValidation }: Patch,
  { dryRun, manager }: WriteOptions,
): Promise<UpdateResult> {
  const { scope } = operation;
  const request: PatchRequest = {
    name,
    format,
    source,
    fieldValidation,
    expected: scope.resource,
    schema: scope.resource.schema,
    unconvertible: unconvertibleIn(scope, scope.resource.schema),
    warn: (text) => operation.warn(text),
  };
  const make = async (old: Readonly<KubernetesObject> | undefined, tracking: boolean): Promise<KubernetesObject> => {
    if (old === undefined) throw notFound(scope.groupResource, name);
    const served = await servedForm(scope, old);
    const known = scope.conversion.serves(old) ? knownFields(old) : undefined;
    const { object, warnings } = await patchedObject(operation, served, { ...request, known });
    for (const text of warnings) operation.warn(text);
    // Decoded by the schema of the kind; only metadata can be missing, if the patch removed it.
    const result = cloneObject(keepNotes(object, { metadata: {}, ...object }) as KubernetesObject);
    const updated = await defaultedForStore(scope, result);
    if (tracking) await trackOwners(operation, { live: old, updated, manager });
    else setEntries(updated, undefined);
    return updated;
  };
  return withoutOwnersIfTooLarge((tracking) =>
    updateByPatch(operation, { name, dryRun, forceCreate: false }, (old) => make(old, tracking)),
  );
}

/** Replaces the object with the result of `make`; both are in the storage version. */
export function updateByPatch(
  operation: Operation,
  { name, dryRun, forceCreate }: { readonly name: string; readonly dryRun: boolean; readonly forceCreate: boolean },
  make: (old: Readonly<KubernetesObject> | undefined) => Promise<KubernetesObject>,
): Promise<UpdateResult> {
  const { scope, namespace, subresource } = operation;
  const verb = currentSpan();
  return updateObject(
    storeOfOperation(operation, 'patch'),
    {
      name,
      subresource: subresource?.name ?? '',
      preconditions: {},
      forceCreate,
      ...admitted(operation, { name, dryRun }, async (old) => {
        verb?.event('About to apply patch');
        const object = await make(old);
        verb?.event('About to check admission control');
        ensureNamespaceMatches(object.metadata, expectedNamespace(namespace, scope.resource.namespaced));
        checkName(object, name);
        return object;
      }),
    },
    writeScope(operation, dryRun),
  );
}

/**
 * Patches an object as a client would read it: it includes zero values that are always written, and errors show it in
 * wire order.
 */
export async function patchedObject(
  { kinds, scope }: Pick<Operation, 'kinds' | 'scope'>,
  served: Readonly<JsonObject>,
  request: PatchRequest,
): Promise<PatchedObject> {
  const { otherKind, decode } = applyPatch(served, request);
  if (otherKind === undefined) return decode(undefined);
  // Only scales of custom resources have such a type.
  const schema =
    request.goType === undefined
      ? claimedSchema(kinds, scope.resource, otherKind)
      : claimedScaleSchema(kinds, otherKind);
  return decode(await schema);
}
