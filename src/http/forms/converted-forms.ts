import { encodeRaw } from '../../api/json-text.ts';
import type { JsonObject } from '../../api/json.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { encodeProtobuf } from '../../codec/protobuf/encode.ts';
import { protobufSerializer } from '../../codec/protobuf-serializer.ts';
import { servedNow } from '../../operations/resource-scope.ts';
import { encodeJson } from '../../schema/encode-json.ts';
import type { Resource } from '../../schema/resource.ts';
import { isUnstructured } from '../../schema/unstructured.ts';
import type { CacheEntry } from '../../watchcache/cache-entry.ts';
import type { ListForm } from './list-chunks.ts';
import { jsonListText } from './json-list.ts';
import { protobufForm } from './list-forms.ts';
import { listMeta, type ListMeta, metaSchema, partialMetadataText } from './partial-metadata.ts';
import { type ResourceRequest, storeOf } from '../request/resource-request.ts';
import { isPretty, schemasOf } from '../answers/respond.ts';
import { tablePrinter } from './table.ts';
import { compactList, indentedList, type JsonList, yamlList } from './text-lists.ts';

/** A list that is asked for. */
export interface ListAnswer {
  readonly list: ListMeta;
  readonly entries: readonly CacheEntry[];
}

/** How objects go into a list that is not made of stored bytes, one by one; undefined where the answer must be made as a whole. */
export async function convertedForm(request: ResourceRequest, answer: ListAnswer): Promise<ListForm | undefined> {
  const { context, format } = request;
  // Nothing is written as null in some forms.
  if (answer.entries.length === 0) return undefined;
  if (format.mediaType === protobufSerializer.mediaType) return convertedProtobuf(request, answer);
  const form = textForms[isPretty(context, format) ? `${format.mediaType};pretty` : format.mediaType];
  const list = form === undefined ? undefined : await jsonList(request, answer.list);
  return list === undefined ? undefined : form?.(list);
}

/** Of lists that are text. */
const textForms: { readonly [mediaType: string]: ((list: JsonList) => ListForm) | undefined } = {
  'application/json': compactList,
  'application/json;pretty': indentedList,
  'application/yaml': yamlList,
  'application/yaml;pretty': yamlList,
};

function jsonList(request: ResourceRequest, list: ListMeta): JsonList | Promise<JsonList | undefined> {
  switch (request.format.as) {
    case 'object':
      return convertedJson(request, list);
    case 'Table':
      return tableRows(request, list);
    default:
      return partialJson(request, list);
  }
}

function decoderOf(request: ResourceRequest): (entry: CacheEntry) => KubernetesObject {
  const { codec } = storeOf(request);
  return (entry) => codec.decode(entry);
}

/** Items as the texts of decoded objects. */
function itemsOf(
  request: ResourceRequest,
  text: (object: KubernetesObject) => string,
): Pick<JsonList, 'item' | 'read'> {
  const { codec } = storeOf(request);
  return {
    item: (entry) => text(codec.decode(entry)),
    *read(entry) {
      const object = yield* codec.read(entry);
      yield;
      return text(object);
    },
  };
}

function convertedJson(request: ResourceRequest, list: ListMeta): JsonList {
  const { scope } = request;
  return {
    ...jsonListText(scope.resource, listMeta(list)),
    ...itemsOf(request, (object) =>
      encodeJson(scope.resource.schema, itemOf(scope.resource, servedNow(scope, object))),
    ),
  };
}

/** Items of typed lists do not tell their kind again. */
export function itemOf({ schema }: Resource, object: KubernetesObject): JsonObject {
  // Objects are JSON-shaped.
  if (isUnstructured(schema)) return object as unknown as JsonObject;
  const { kind: _kind, apiVersion: _apiVersion, ...item } = object;
  return item as unknown as JsonObject;
}

function partialJson(request: ResourceRequest, list: ListMeta): JsonList {
  const { asVersion } = request.format;
  const metadata = encodeRaw(listMeta(list));
  const head = `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/${asVersion}","metadata":${metadata},"items":[`;
  return { head, tail: ']}', ...itemsOf(request, (object) => partialMetadataText(object, asVersion)) };
}

/** Undefined for kinds whose rows depend on one another. */
async function tableRows(request: ResourceRequest, list: ListMeta): Promise<JsonList | undefined> {
  const { context, scope, format } = request;
  const printer = await tablePrinter(context, scope, { format });
  if (!printer.rowByRow) return undefined;
  const { rows: _, ...around } = printer.table({ objects: [], list });
  return {
    head: `${encodeRaw(around).slice(0, -1)},"rows":[`,
    tail: ']}',
    ...itemsOf(request, (object) => encodeRaw(printer.row(object))),
  };
}

/** The same in messages, which tell their length before they begin: each is encoded twice and none is held. */
function convertedProtobuf(request: ResourceRequest, answer: ListAnswer): Promise<ListForm> | undefined {
  const { scope, format, context } = request;
  const schemaOf = schemasOf(context);
  const { entries } = answer;
  const meta = listMeta(answer.list);
  const decode = decoderOf(request);
  if (format.as === 'object') {
    const { group, version, listKind: kind, schema } = scope.resource;
    const encode = (entry: CacheEntry): Uint8Array =>
      encodeProtobuf(schema, itemOf(scope.resource, servedNow(scope, decode(entry))));
    return protobufForm(
      { group, version, kind, schema: schemaOf({ group, version, kind }) },
      { meta, entries, ...unkept(encode) },
    );
  }
  const schema = metaSchema('PartialObjectMetadata');
  const encode = (entry: CacheEntry): Uint8Array =>
    encodeProtobuf(schema, { metadata: decode(entry).metadata as JsonObject });
  const kind = { group: 'meta.k8s.io', version: format.asVersion, kind: 'PartialObjectMetadataList' };
  return protobufForm({ ...kind, schema: schemaOf(kind) }, { meta, entries, ...unkept(encode) });
}

/** Of messages that nobody keeps the sizes are kept. */
function unkept(message: (entry: CacheEntry) => Uint8Array): {
  readonly message: (entry: CacheEntry) => Uint8Array;
  readonly size: (entry: CacheEntry) => number;
} {
  const sizes = new Map<CacheEntry, number>();
  return {
    message,
    size(entry) {
      const size = sizes.get(entry) ?? message(entry).length;
      sizes.set(entry, size);
      return size;
    },
  };
}
