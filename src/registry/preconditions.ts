import type { GroupResource } from '../api/group-version.ts';
import type { KubernetesObject } from '../api/object.ts';
import { conflict } from '../api/status-errors.ts';
import type { Preconditions } from './delete-options.ts';

/** Throws the Conflict of an update whose object is not the one it was meant for. `object` is undefined when there is none. */
export function checkPreconditions(
  preconditions: Preconditions,
  object: Readonly<KubernetesObject> | undefined,
  resource: GroupResource,
  name: string,
): void {
  const { uid, resourceVersion } = preconditions;
  const foundUid = object?.metadata.uid ?? '';
  if (uid !== undefined && uid !== foundUid) {
    throw conflict(resource, name, `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${foundUid}`);
  }
  const foundVersion = object?.metadata.resourceVersion ?? '';
  if (resourceVersion !== undefined && resourceVersion !== foundVersion) {
    const why = `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${foundVersion}`;
    throw conflict(resource, name, why);
  }
}

/** The same for deletions, whose messages name the kind and speak in words. */
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
