import { jsonTextOf } from '../../codec/document.ts';
import { jsonSerializer } from '../../codec/json-serializer.ts';
import { copyItem, copyObject, itemSize, objectSize } from '../../codec/stored-object.ts';
import { locatedOf, type StoredObject, writtenVersion } from '../../registry/stored/stored-object.ts';
import type { WatchEvent } from '../../watchcache/cache-event.ts';
import type { Encoding } from './encoding.ts';
import type { ListLayout } from './list-chunks.ts';
import type { ShownList } from './shown-list.ts';
import { compactList, indentedList } from './text-list.ts';

const newline = 0x0a;
const comma = 0x2c;
const brace = 0x7d;

/** Stored objects are JSON and are sent as they are, unless the client wants them indented. */
export const jsonEncoding: Encoding = {
  serializer: jsonSerializer,
  stored: (stored, _resource, { pretty }) => (pretty ? undefined : storedLine(stored)),
  list(source, { pretty }) {
    if (source.stored !== undefined && !pretty) return storedList(source);
    // Some forms write an empty list as null.
    if (source.entries.length === 0) return undefined;
    return pretty ? indentedList(source) : compactList(source);
  },
  events: {
    contentType: 'application/json',
    name: 'application/json;stream=watch',
    isText: true,
    write: (type, document) => Buffer.from(`{"type":"${type}","object":${jsonTextOf(document)}}\n`),
    stored: storedEvent,
  },
};

/** The stored bytes with the resourceVersion inserted, and a newline. */
function storedLine(stored: StoredObject): Buffer {
  const located = locatedOf(stored);
  const version = writtenVersion(stored);
  const size = version === undefined ? located.bytes.length : objectSize(located, version);
  const target = Buffer.allocUnsafe(size + 1);
  if (version === undefined) target.set(located.bytes);
  else copyObject(located, version, { target, position: 0 });
  target[size] = newline;
  return target;
}

/** Stored bytes separated by commas. */
function storedList(source: ShownList): ListLayout {
  const { head, tail } = source.around();
  return {
    head: Buffer.from(head),
    tail: Buffer.from(`${tail}\n`),
    size: (entry, isFirst) => itemSize(entry.located(), String(entry.modRevision)) + (isFirst ? 0 : 1),
    copy(entry, isFirst, { target, position }) {
      const start = isFirst ? position : target.writeUInt8(comma, position);
      return copyItem(entry.located(), String(entry.modRevision), { target, position: start });
    },
  };
}

/** The stored bytes between head and tail, with a single copy. */
function storedEvent({ type, entry }: WatchEvent): Uint8Array {
  const head = `{"type":"${type}","object":`;
  const located = entry.located();
  const revision = String(entry.modRevision);
  const target = Buffer.allocUnsafe(head.length + objectSize(located, revision) + 2);
  let position = target.write(head, 0, 'latin1');
  position = copyObject(located, revision, { target, position });
  target[position] = brace;
  target[position + 1] = newline;
  return target;
}
