import type { JsonObject, JsonValue } from '../../api/json.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { StatusError } from '../../api/status.ts';
import { parseJson } from '../../codec/json.ts';
import { encodeJson, encodeJsonBytes } from '../../schema/encode-json.ts';
import type { Schema } from '../../schema/schema.ts';
import { isUnstructured } from '../../schema/unstructured.ts';
import { schemaByName } from '../../schema/kubernetes/definitions.ts';
import type { OutputFormat } from '../negotiation/negotiate.ts';
import type { ServedKind } from '../../operations/resource-scope.ts';

/** `metadata` of a list or a Table. */
export interface ListMeta {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
  /** The selector of a shard, of lists of whole objects alone. */
  readonly shard?: string;
}

type MetaVersion = 'v1' | 'v1beta1';

/** A list's metadata in wire order, without what is empty. */
export function listMeta({
  resourceVersion = '',
  continue: token = '',
  remainingItemCount,
  shard,
}: ListMeta): JsonObject {
  const meta: JsonObject = {};
  if (resourceVersion !== '') meta['resourceVersion'] = resourceVersion;
  if (token !== '') meta['continue'] = token;
  if (remainingItemCount !== undefined) meta['remainingItemCount'] = remainingItemCount;
  if (shard !== undefined) meta['shardInfo'] = { selector: shard };
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

/** The same as JSON text. */
export function partialMetadataText({ metadata }: Readonly<KubernetesObject>, version: MetaVersion): string {
  const text = encodeJson(metaSchema('ObjectMeta'), metadata as JsonObject);
  return `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/${version}","metadata":${text}}`;
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
    // The reference writes the items of nothing as null.
    items: objects.length === 0 ? null : objects.map((object) => partialMetadata(object, version)),
  };
}

/** Packages of the reference's internal types that are not called as the first word of their group. */
const packages: ReadonlyMap<string, string> = new Map([
  ['', 'core'],
  ['events.k8s.io', 'core'],
  ['rbac.authorization.k8s.io', 'rbac'],
  ['internal.apiserver.k8s.io', 'apiserverinternal'],
]);

/** Lists have no partial object, and objects no partial list; who asks is told what he would have got, by its Go type. */
export function notPartial(
  as: OutputFormat['as'],
  { group, schema }: Pick<ServedKind, 'group' | 'schema'>,
  kind: string,
): Error {
  const isList = as === 'PartialObjectMetadata';
  const [firstWord = ''] = group.split('.');
  const type = isUnstructured(schema)
    ? `unstructured.Unstructured${isList ? 'List' : ''}`
    : `${packages.get(group) ?? firstWord}.${kind}`;
  return new StatusError({
    code: 406,
    reason: 'NotAcceptable',
    message: `you requested ${as}, but the requested object is ${isList ? 'a list' : 'not a list'} (*${type})`,
  });
}

/** The metadata in wire order: partial objects are sent as they stand. */
function orderedMetadata({ metadata }: Readonly<KubernetesObject>): JsonValue {
  return parseJson(encodeJsonBytes(metaSchema('ObjectMeta'), metadata as JsonObject)).value;
}

/** A definition of the group meta.k8s.io. */
export function metaSchema(kind: 'ObjectMeta' | 'PartialObjectMetadata'): Schema {
  const schema = schemaByName(`io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`);
  if (schema === undefined) throw new Error(`${kind} is not among the definitions`);
  return schema;
}
