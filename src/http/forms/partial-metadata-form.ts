import type { JsonObject } from '../../api/json/json.ts';
import { encodeRaw } from '../../api/json/json-text.ts';
import type { KubernetesObject, ObjectMeta } from '../../api/meta/object.ts';
import { StatusError } from '../../api/errors/status.ts';
import type { ObjectDocument } from '../../codec/document.ts';
import type { ResourceScope, ServedKind } from '../../operations/resource-scope.ts';
import { schemaByName } from '../../schema/kubernetes/definitions.ts';
import type { Schema } from '../../schema/schema.ts';
import { isUnstructured } from '../../schema/unstructured.ts';
import { wireForm } from '../../schema/wire-form.ts';
import { bookmarkObject } from './bookmark.ts';
import { codecOf } from './shown-list.ts';
import type { Form } from './form.ts';
import { unshardedMeta } from './list-meta.ts';
const group = 'meta.k8s.io';
const versions: readonly string[] = ['v1', 'v1beta1'];
const objectKind = 'PartialObjectMetadata';
const listKind = 'PartialObjectMetadataList';

/** The metadata of one object, and of watch events. Annotations left behind by a conversion are omitted. */
export const partialMetadataForm: Form = {
  requested: { as: objectKind, group, versions },
  ofStoredVersion: true,
  shows: 'metadata',
  object: ({ scope, format }, object) => partialDocument(scope, object, format.version),
  list: ({ scope }) => refuseList(scope),
  whole: ({ scope }) => refuseList(scope),
  events: ({ scope, format: { version } }) => ({
    isShared: true,
    object: (object) => partialDocument(scope, object, version),
    bookmark: (bookmark) => partialDocument(scope, bookmarkObject(scope.resource, bookmark), version),
  }),
};

/** The metadata of the objects of a list. Events are not lists: the first one ends the watch. */
export const partialMetadataListForm: Form = {
  requested: { as: listKind, group, versions },
  ofStoredVersion: true,
  object({ scope }, _object, served) {
    // The reference tries to read objects without a Go type as lists.
    if (isUnstructured(served.schema)) throw new StatusError({ code: 500, message: 'content is not a list' });
    // Scales of custom resources have no internal type.
    throw notPartial(listKind, scope.isUnstructured ? `${served.version}.${served.kind}` : goType(served, served.kind));
  },
  list({ scope, format: { version } }, { list, entries }) {
    const metadata = unshardedMeta(list);
    return {
      type: { group, version, kind: listKind },
      metadata,
      entries,
      stored: undefined,
      itemSchema: metaSchema(objectKind),
      around: () => ({
        head: `{"kind":"${listKind}","apiVersion":"${group}/${version}","metadata":${encodeRaw(metadata)},"items":[`,
        tail: ']}',
      }),
      item: (entry) => partialMetadata(scope, codecOf(scope).decode(entry, 'metadata'), version),
    };
  },
  async whole({ scope, format: { version } }, list, objects) {
    const items: JsonObject[] = [];
    for await (const object of objects) items.push(orderedPartial(scope, object, version));
    const object = {
      kind: listKind,
      apiVersion: `${group}/${version}`,
      metadata: unshardedMeta(list),
      // The reference writes empty items as null.
      items: items.length === 0 ? null : items,
    };
    return { object, schema: undefined };
  },
  events({ scope: { resource } }) {
    const refuse = (): never => {
      throw notPartial(listKind, goType(resource, resource.kind));
    };
    return { isShared: false, object: refuse, bookmark: refuse };
  },
};

function refuseList({ resource }: ResourceScope): never {
  throw notPartial(objectKind, goType(resource, resource.listKind));
}

function partialDocument(scope: ResourceScope, object: Readonly<KubernetesObject>, version: string): ObjectDocument {
  return { object: partialMetadata(scope, object, version), schema: metaSchema(objectKind) };
}

/** Only the object's metadata. */
function partialMetadata(
  { responses: { annotatedFields } }: ResourceScope,
  { metadata }: Readonly<KubernetesObject>,
  version: string,
): JsonObject {
  const shown = annotatedFields === undefined ? metadata : withoutAnnotations(metadata, annotatedFields);
  return { kind: objectKind, apiVersion: `${group}/${version}`, metadata: shown as JsonObject };
}

function withoutAnnotations(metadata: Readonly<ObjectMeta>, names: readonly string[]): Readonly<ObjectMeta> {
  const { annotations, ...others } = metadata;
  if (annotations === undefined || !names.some((name) => Object.hasOwn(annotations, name))) return metadata;
  const kept = Object.entries(annotations).filter(([name]) => !names.includes(name));
  return kept.length === 0 ? others : { ...metadata, annotations: Object.fromEntries(kept) };
}

/** Only the object's metadata, in wire order, for documents that are sent unchanged. */
export function orderedPartial(scope: ResourceScope, object: Readonly<KubernetesObject>, version: string): JsonObject {
  const { metadata, ...partial } = partialMetadata(scope, object, version);
  return { ...partial, metadata: wireForm(metaSchema('ObjectMeta'), metadata as JsonObject) };
}

/** Packages of the reference's internal types that are not named after the first label of their group. */
const packages: ReadonlyMap<string, string> = new Map([
  ['', 'core'],
  ['events.k8s.io', 'core'],
  ['rbac.authorization.k8s.io', 'rbac'],
  ['internal.apiserver.k8s.io', 'apiserverinternal'],
]);

/** Go's name of an internal type. */
function goType({ group, schema }: Pick<ServedKind, 'group' | 'schema'>, kind: string): string {
  if (isUnstructured(schema)) return 'unstructured.UnstructuredList';
  const [firstWord = ''] = group.split('.');
  return `${packages.get(group) ?? firstWord}.${kind}`;
}

/**
 * Refuses PartialObjectMetadata of a list and PartialObjectMetadataList of an object; the message names the Go type of
 * the result.
 */
function notPartial(as: typeof objectKind | typeof listKind, type: string): StatusError {
  const isList = as === objectKind;
  return new StatusError({
    code: 406,
    reason: 'NotAcceptable',
    message: `you requested ${as}, but the requested object is ${isList ? 'a list' : 'not a list'} (*${type})`,
  });
}

/** A definition from meta.k8s.io. */
function metaSchema(kind: 'ObjectMeta' | 'PartialObjectMetadata'): Schema {
  const schema = schemaByName(`io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`);
  if (schema === undefined) throw new Error(`no definition of ${kind}`);
  return schema;
}
