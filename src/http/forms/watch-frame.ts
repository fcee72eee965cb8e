import { formatApiVersion } from '../../api/group-version.ts';
import { encodeRaw } from '../../api/json-text.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { writeCborWatchEvent } from '../../codec/cbor/watch-event.ts';
import { cborSerializer, renderCbor } from '../../codec/cbor-serializer.ts';
import type { KindSchemas } from '../../codec/serializer.ts';
import { renderProtobuf } from '../../codec/protobuf-serializer.ts';
import { lengthDelimited, writeWatchEvent } from '../../codec/protobuf/watch-event.ts';
import { copyObject, objectSize } from '../../codec/stored-object.ts';
import type { WatchEvent } from '../../watchcache/cache-event.ts';
import { servedNow } from '../../operations/resource-scope.ts';
import { encodeJson } from '../../schema/encode-json.ts';
import type { Resource } from '../../schema/resource.ts';
import type { JsonValue } from '../../api/json.ts';
import { notPartial, partialMetadata } from './partial-metadata.ts';
import { type ResourceRequest, storeOf } from '../request/resource-request.ts';
import { schemasOf } from '../answers/respond.ts';
import { protobufObject, storedJson } from './stored-protobuf.ts';
import { tablePrinter } from './table.ts';
import { Bookmark, initialEventsEndAnnotation } from '../answers/watch-bookmarks.ts';
import type { EventEncoder } from '../answers/watch-stream.ts';

const newline = 0x0a;
const brace = 0x7d;

/** One event around an object, of which the JSON is given. */
type Framer = (type: string, json: Uint8Array | string) => Uint8Array;

/** How events of this request are framed: as lines of JSON, as items of CBOR, or as messages after their length, which WebSockets have of their own. */
export function framerOf(request: ResourceRequest): Framer {
  const { mediaType } = request.format;
  if (mediaType === 'application/json') return jsonFrame;
  const schemaOf = schemasOf(request.context);
  if (mediaType === cborSerializer.mediaType) return cborFramer(schemaOf);
  const delimit = delimiterOf(request);
  return (type, json) => delimit(writeWatchEvent(type, renderProtobuf(bytesOf(json), schemaOf)));
}

function cborFramer(schemaOf: KindSchemas): Framer {
  return (type, json) => writeCborWatchEvent(type, renderCbor(bytesOf(json), schemaOf));
}

function bytesOf(json: Uint8Array | string): Uint8Array {
  return typeof json === 'string' ? Buffer.from(json) : json;
}

function jsonFrame(type: string, json: Uint8Array | string): Uint8Array {
  return Buffer.from(`{"type":"${type}","object":${textOf(json)}}\n`);
}

function delimiterOf({ context }: ResourceRequest): (message: Uint8Array) => Uint8Array {
  return context.exchange.acceptWebSocket === undefined ? lengthDelimited : (message) => message;
}

function textOf(json: Uint8Array | string): string {
  return typeof json === 'string' ? json : Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString();
}

/** How events look to this request: `{"type":"ADDED","object":{...}}` and a newline, or the same as a message. */
export async function eventEncoder(request: ResourceRequest): Promise<EventEncoder> {
  const { as } = request.format;
  if (as === 'Table') return tableEncoder(request);
  if (as === 'PartialObjectMetadataList') return () => refuseLists(request);
  const encode = sharedEncoder(request);
  return (event) => (event instanceof Bookmark ? bookmarkFrame(request, event) : encode(event));
}

/** No event is a list: the first ends the stream. */
function refuseLists({ scope, format }: ResourceRequest): never {
  throw notPartial(format.as, scope.resource, scope.resource.kind);
}

/** What all clients who ask alike share. */
function sharedEncoder(request: ResourceRequest): (event: WatchEvent) => Uint8Array {
  const { scope, format, context } = request;
  const { group, version } = scope.resource;
  const transport = context.exchange.acceptWebSocket === undefined ? 'stream' : 'messages';
  const encoding = `${transport}/${format.mediaType}/${format.as}/${format.asVersion}/${group}/${version}`;
  const frame = framerOf(request);
  if (format.as !== 'object') {
    return (event) =>
      event.frame(encoding, () => {
        const object = storeOf(request).codec.decode(event.entry);
        return frame(event.type, encodeRaw(partialMetadata(object, format.asVersion)));
      });
  }
  const encode = scope.conversion.servesStoredVersion
    ? storedFramer(request)
    : (event: WatchEvent) => frame(event.type, convertedJson(request, event));
  return (event) => event.frame(encoding, encode);
}

function storedFramer(request: ResourceRequest): (event: WatchEvent) => Uint8Array {
  const { mediaType } = request.format;
  if (mediaType === 'application/json') return storedFrame;
  if (mediaType === cborSerializer.mediaType) {
    const frame = cborFramer(schemasOf(request.context));
    return ({ type, entry }) => frame(type, storedJson(entry));
  }
  const delimit = delimiterOf(request);
  return ({ type, entry }) => delimit(writeWatchEvent(type, protobufObject(entry, request.scope.resource)));
}

/** An object of the asked kind with nothing but the version, as Go writes an empty one. */
function bookmarkFrame(request: ResourceRequest, bookmark: Bookmark): Uint8Array {
  const { scope, format } = request;
  const object = bookmarkObject(scope.resource, bookmark);
  const json =
    format.as === 'object'
      ? encodeJson(scope.resource.schema, (scope.answers.emptyForm?.(object) ?? object) as unknown as JsonValue)
      : encodeRaw(partialMetadata(object, format.asVersion));
  return framerOf(request)('BOOKMARK', json);
}

function bookmarkObject(
  { group, version, kind }: Resource,
  { revision, initialEventsEnd }: Bookmark,
): KubernetesObject {
  const metadata = {
    resourceVersion: String(revision),
    ...(initialEventsEnd ? { annotations: { [initialEventsEndAnnotation]: 'true' } } : {}),
  };
  return { kind, apiVersion: formatApiVersion(group, version), metadata };
}

/** The stored bytes between a head and a tail, with one copy. */
function storedFrame(event: WatchEvent): Uint8Array {
  const head = `{"type":"${event.type}","object":`;
  const located = event.entry.located();
  const revision = String(event.entry.modRevision);
  const target = Buffer.allocUnsafe(head.length + objectSize(located, revision) + 2);
  let position = target.write(head, 0, 'latin1');
  position = copyObject(located, revision, { target, position });
  target[position] = brace;
  target[position + 1] = newline;
  return target;
}

function convertedJson(request: ResourceRequest, event: WatchEvent): string {
  const { scope } = request;
  const object = servedNow(scope, storeOf(request).codec.decode(event.entry));
  return encodeJson(scope.resource.schema, object as unknown as JsonValue);
}

/** Tables differ by client: columns come with the first event alone, ages count from now. */
async function tableEncoder(request: ResourceRequest): Promise<EventEncoder> {
  const { context, scope, format } = request;
  const printer = await tablePrinter(context, scope, { format });
  const frame = framerOf(request);
  let first = true;
  const { resource, codec } = storeOf(request);
  return (event) => {
    const object = event instanceof Bookmark ? emptyObject(resource, event) : codec.decode(event.entry);
    const list = { resourceVersion: object.metadata.resourceVersion ?? '' };
    const table = printer.table({ objects: [object], list, single: true, withoutColumns: !first });
    first = false;
    return frame(event instanceof Bookmark ? 'BOOKMARK' : event.type, encodeRaw(table));
  };
}

/** Go's zero value of the kind, for its columns; what it writes as null is absent. */
function emptyObject(resource: Resource, bookmark: Bookmark): KubernetesObject {
  const object = bookmarkObject(resource, bookmark) as unknown as JsonValue;
  const dropNull = (_key: string, value: unknown): unknown => value ?? undefined;
  return JSON.parse(encodeJson(resource.schema, object), dropNull) as KubernetesObject;
}
