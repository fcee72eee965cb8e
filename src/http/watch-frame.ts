import { formatApiVersion } from '../api/group-version.ts';
import { encodeRaw } from '../api/json-text.ts';
import type { KubernetesObject } from '../api/object.ts';
import { copyObject, objectSize } from '../codec/stored-object.ts';
import type { WatchEvent } from '../watchcache/cache-event.ts';
import { encodeJson } from '../schema/encode-json.ts';
import type { Resource } from '../schema/resource.ts';
import type { JsonValue } from '../api/json.ts';
import { partialMetadata } from './partial-metadata.ts';
import { type ResourceRequest, storeOf } from './resource-request.ts';
import { tableMaker } from './table.ts';
import { Bookmark, initialEventsEndAnnotation } from './watch-bookmarks.ts';
import type { EventEncoder } from './watch-stream.ts';

const newline = 0x0a;
const brace = 0x7d;

/** How events look to this request: `{"type":"ADDED","object":{...}}` and a newline. */
export async function eventEncoder(request: ResourceRequest): Promise<EventEncoder> {
  if (request.format.as === 'Table') return tableEncoder(request);
  const encode = sharedEncoder(request);
  return (event) => (event instanceof Bookmark ? bookmarkFrame(request, event) : encode(event));
}

/** What all clients who ask alike share. */
function sharedEncoder(request: ResourceRequest): (event: WatchEvent) => Uint8Array {
  const { scope, format } = request;
  const { group, version } = scope.resource;
  const encoding = `${format.as}/${format.asVersion}/${group}/${version}`;
  if (format.as === 'object') {
    const encode = scope.servesStoredVersion ? storedFrame : (event: WatchEvent) => convertedFrame(request, event);
    return (event) => event.frame(encoding, encode);
  }
  return (event) =>
    event.frame(encoding, () => {
      const object = storeOf(request).codec.decode(event.entry);
      return textFrame(event.type, encodeRaw(partialMetadata(object, format.asVersion)));
    });
}

/** An object of the asked kind with nothing but the version, as Go writes an empty one. */
function bookmarkFrame({ scope, format }: ResourceRequest, bookmark: Bookmark): Uint8Array {
  const object = bookmarkObject(scope.resource, bookmark);
  if (format.as !== 'object') return textFrame('BOOKMARK', encodeRaw(partialMetadata(object, format.asVersion)));
  return textFrame('BOOKMARK', encodeJson(scope.resource.schema, object as unknown as JsonValue));
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
  const target = Buffer.allocUnsafeSlow(head.length + objectSize(located, revision) + 2);
  let position = target.write(head, 0, 'latin1');
  position = copyObject(located, revision, { target, position });
  target[position] = brace;
  target[position + 1] = newline;
  return target;
}

function convertedFrame(request: ResourceRequest, event: WatchEvent): Uint8Array {
  const { scope } = request;
  const object = scope.fromStored(storeOf(request).codec.decode(event.entry));
  return textFrame(event.type, encodeJson(scope.resource.schema, object as unknown as JsonValue));
}

/** Tables differ by client: columns come with the first event alone, ages count from now. */
async function tableEncoder(request: ResourceRequest): Promise<EventEncoder> {
  const { context, scope, format } = request;
  const make = await tableMaker(context, scope, format);
  let first = true;
  const { resource, codec } = storeOf(request);
  return (event) => {
    const object = event instanceof Bookmark ? emptyObject(resource, event) : codec.decode(event.entry);
    const list = { resourceVersion: object.metadata.resourceVersion ?? '' };
    const table = make({ objects: [object], list, single: true, withoutColumns: !first });
    first = false;
    return textFrame(event instanceof Bookmark ? 'BOOKMARK' : event.type, encodeRaw(table));
  };
}

/** Go's zero value of the kind, for its columns; what it writes as null is absent. */
function emptyObject(resource: Resource, bookmark: Bookmark): KubernetesObject {
  const object = bookmarkObject(resource, bookmark) as unknown as JsonValue;
  const dropNull = (_key: string, value: unknown): unknown => value ?? undefined;
  return JSON.parse(encodeJson(resource.schema, object), dropNull) as KubernetesObject;
}

function textFrame(type: string, object: string): Uint8Array {
  return Buffer.from(`{"type":"${type}","object":${object}}\n`);
}
