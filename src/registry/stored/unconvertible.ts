import { formatApiVersion, type GroupVersionKind } from '../../api/meta/group-version.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { Soon } from '../../api/scheduling/soon.ts';
import { StatusError } from '../../api/errors/status.ts';
import type { Conversion } from '../kinds/conversion.ts';
import type { UnreadableReason } from '../../storage/contract.ts';
import { objectKey } from './store-kind.ts';
import { type ErrorLocation, type Unreadable, unreadableList, unreadableObject } from './unreadable.ts';

/**
 * Stored objects that cannot be converted are unreadable: the reference converts while it reads the store. Objects of
 * requests are converted as well, and their errors stay as they are.
 */
export function unreadableUnlessConverted(
  conversion: Conversion,
  place: ErrorLocation,
  served: GroupVersionKind,
): Conversion {
  const { group, plural } = place.resource;
  const apiVersion = formatApiVersion(served.group, served.version);
  return {
    ...conversion,
    fromStored: (object) => readable(place, object, (given) => conversion.fromStored(given)),
    async allFromStored(objects) {
      const others = objects.filter((object) => object.apiVersion !== apiVersion);
      const found = others.map((object) => ({ object, ...foundIn(place, object) }));
      try {
        return await conversion.allFromStored(objects);
      } catch (error) {
        const listed = await eachReason(found, reason(error), (object) => conversion.fromStored(object));
        throw unreadableList(place, { group, resource: plural }, listed);
      }
    },
  };
}

type Found = Omit<Unreadable, 'unreadable'> & { readonly object: KubernetesObject };

/** More are not asked for again. */
const maxSeparate = 100;

/** Why each cannot be converted: on its own, or like all of them together. */
async function eachReason(
  found: readonly Found[],
  ofAll: UnreadableReason,
  convert: (object: KubernetesObject) => Soon<KubernetesObject>,
): Promise<readonly Unreadable[]> {
  const like = ({ key, modRevision }: Found, unreadable: UnreadableReason): Unreadable => ({
    key,
    modRevision,
    unreadable,
  });
  const requested = found.length > maxSeparate ? [] : found;
  const responses = requested.map(async (each): Promise<Unreadable | undefined> => {
    try {
      await convert(each.object);
      return undefined;
    } catch (error) {
      return like(each, reason(error));
    }
  });
  const failed = (await Promise.all(responses)).filter((each) => each !== undefined);
  return failed.length > 0 ? failed : found.map((each) => like(each, ofAll));
}

/** Converts one object. Throws an UnreadableError. */
export async function readable<T>(
  place: ErrorLocation,
  object: KubernetesObject,
  convert: (object: KubernetesObject) => T | Promise<T>,
): Promise<T> {
  const found = foundIn(place, object);
  try {
    return await convert(object);
  } catch (error) {
    // The result of a dry run is not stored.
    if (found.modRevision === 0) throw error;
    throw unreadableObject(place, { ...found, unreadable: reason(error) });
  }
}

/** A function that converts stored objects; those that are in the version already need no conversion. */
export function readableIn(
  place: ErrorLocation,
  { group, version }: GroupVersionKind,
  convert: (object: KubernetesObject) => Soon<KubernetesObject>,
): (object: KubernetesObject) => Soon<KubernetesObject> {
  const apiVersion = formatApiVersion(group, version);
  return (object) => (object.apiVersion === apiVersion ? object : readable(place, object, convert));
}

/** Conversion may change the object. */
function foundIn(place: ErrorLocation, { metadata }: KubernetesObject): Omit<Unreadable, 'unreadable'> {
  const { namespace = '', name = '', resourceVersion = '0' } = metadata;
  return { key: objectKey(place, namespace, name), modRevision: Number(resourceVersion) };
}

/** Why a converter has failed; anything but a StatusError is a bug. */
function reason(error: unknown): UnreadableReason {
  if (error instanceof StatusError) return { kind: 'undecodable', message: error.message };
  throw error;
}
