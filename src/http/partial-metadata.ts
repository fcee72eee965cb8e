import type { JsonObject, JsonValue } from '../api/json.ts';
import type { KubernetesObject } from '../api/object.ts';
import { encodeJson } from '../schema/encode-json.ts';
import { schemaByName } from '../schema/kubernetes/definitions.ts';

/** `metadata` of a list or a Table. */
export interface ListMeta {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

type MetaVersion = 'v1' | 'v1beta1';

/** A list's metadata in wire order, without what is empty. */
export function listMeta({ resourceVersion = '', continue: token = '', remainingItemCount }: ListMeta): JsonObject {
  const meta: JsonObject = {};
  if (resourceVersion !== '') meta['resourceVersion'] = resourceVersion;
  if (token !== '') meta['continue'] = token;
  if (remainingItemCount !== undefined) meta['remainingItemCount'] = remainingItemCount;
  return meta;
}

/** The object without anything but its metadata. */
export function partialMetadata(object: Readonly<KubernetesObject>, version: MetaVersion): JsonObject {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: orderedMetadata(object),
  };
}

export function partialMetadataList(
  objects: readonly Readonly<KubernetesObject>[],
  list: ListMeta,
  version: MetaVersion,
): JsonObject {
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: listMeta(list),
    items: objects.map((object) => partialMetadata(object, version)),
  };
}

/** The metadata in wire order: partial objects are sent as they stand. */
function orderedMetadata({ metadata }: Readonly<KubernetesObject>): JsonValue {
  const schema = schemaByName('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
  if (schema === undefined) throw new Error('ObjectMeta is not among the definitions');
  return JSON.parse(encodeJson(schema, metadata as JsonObject)) as JsonValue;
}
