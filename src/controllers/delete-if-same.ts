import type { Client, Collection } from '../api/client/client.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { isReason } from '../api/errors/status.ts';

/** Deletes an object, unless it is gone or has been replaced. */
export async function deleteIfSame(
  client: Client,
  collection: Collection,
  { metadata }: KubernetesObject,
): Promise<void> {
  const { namespace = '', name = '', uid } = metadata;
  try {
    await client.delete({ ...collection, namespace, name }, uid === undefined ? {} : { preconditions: { uid } });
  } catch (error) {
    if (!isReason(error, 'NotFound') && !isReason(error, 'Conflict')) throw error;
  }
}
