import { encodeRaw } from '../api/json-text.ts';
import { copyObject, objectSize } from '../codec/stored-object.ts';
import type { WatchEvent } from '../watchcache/cache-event.ts';
import { encodeJson } from '../schema/encode-json.ts';
import type { JsonValue } from '../api/json.ts';
import { partialMetadata } from './partial-metadata.ts';
import { type ResourceRequest, storeOf } from './resource-request.ts';
import { tableMaker } from './table.ts';
import type { EventEncoder } from './watch-stream.ts';

const newline = 0x0a;
const brace = 0x7d;

/** How events look to this request: `{"type":"ADDED","object":{...}}` and a newline. */
export async function eventEncoder(request: ResourceRequest): Promise<EventEncoder> {
  const { scope, format } = request;
  if (format.as === 'Table') return tableEncoder(request);
  const { group, version } = scope.resource;
  const encoding = `${format.as}/${format.asVersion}/${group}/${version}`;
  if (format.as === 'object') {
    const encode = scope.servesStoredVersion ? storedFrame : (event: WatchEvent) => convertedFrame(request, event);
    return (event) => event.frame(encoding, encode);
  }
  return (event) =>
    event.frame(encoding, () => {
      const object = storeOf(request).codec.decode(event.entry);
      return textFrame(event, encodeRaw(partialMetadata(object, format.asVersion)));
    });
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
  return textFrame(event, encodeJson(scope.resource.schema, object as unknown as JsonValue));
}

/** Tables differ by client: columns come with the first event alone, ages count from now. */
async function tableEncoder(request: ResourceRequest): Promise<EventEncoder> {
  const { context, scope, format } = request;
  const make = await tableMaker(context, scope, format);
  let first = true;
  return (event) => {
    const object = storeOf(request).codec.decode(event.entry);
    const list = { resourceVersion: object.metadata.resourceVersion ?? '' };
    const table = make({ objects: [object], list, single: true, withoutColumns: !first });
    first = false;
    return textFrame(event, encodeRaw(table));
  };
}

function textFrame(event: WatchEvent, object: string): Uint8Array {
  return Buffer.from(`{"type":"${event.type}","object":${object}}\n`);
}
