import type { GroupResource } from '../../api/meta/group-version.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { conflict } from '../../api/errors/status-errors.ts';
import type { Preconditions } from './delete-options.ts';

/** The target of an update; `object` is undefined if absent. */
export interface UpdateTarget {
  readonly object: Readonly<KubernetesObject> | undefined;
  readonly resource: GroupResource;
  readonly name: string;
  /** Storage key, for the message. */
  readonly key: string;
}

/** Throws a Conflict if an update's preconditions do not hold. */
export function checkPreconditions(preconditions: Preconditions, { object, resource, name, key }: UpdateTarget): void {
  const failed = failedPrecondition(preconditions, object);
  if (failed === undefined) return;
  const prefix = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg:`;
  throw conflict(resource, name, `${prefix} Precondition failed: ${failed}`);
}

function failedPrecondition(
  { uid, resourceVersion }: Preconditions,
  object: Readonly<KubernetesObject> | undefined,
): string | undefined {
  const say = (field: string, wanted: string, found: string): string =>
    `${field} in precondition: ${wanted}, ${field} in object meta: ${found}`;
  const { uid: foundUid = '', resourceVersion: foundVersion = '' } = object?.metadata ?? {};
  if (uid !== undefined && uid !== foundUid) return say('UID', uid, foundUid);
  if (resourceVersion === undefined || resourceVersion === foundVersion) return undefined;
  return say('ResourceVersion', resourceVersion, foundVersion);
}

/** Checks the preconditions of deletions of kinds with a finalization of their own. */
export function checkFinalizationPreconditions(
  preconditions: Preconditions,
  object: Readonly<KubernetesObject>,
  { resource, begin }: { readonly resource: GroupResource; readonly begin: string },
): void {
  const failed = failedPrecondition(preconditions, object);
  if (failed !== undefined) throw conflict(resource, object.metadata.name ?? '', `${begin}: ${failed}`);
}

/** Checks the preconditions of other deletions, which have other messages. */
export function checkDeletePreconditions(
  preconditions: Preconditions,
  object: Readonly<KubernetesObject>,
  kind: { readonly group: string; readonly kind: string },
): void {
  const { uid, resourceVersion } = preconditions;
  const resource = { group: kind.group, resource: kind.kind };
  const { name = '', uid: foundUid = '', resourceVersion: foundVersion = '' } = object.metadata;
  if (uid !== undefined && uid !== foundUid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${foundUid}). The object might have been deleted and then recreated`;
    throw conflict(resource, name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== foundVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${foundVersion}). The object might have been modified`;
    throw conflict(resource, name, why);
  }
}
