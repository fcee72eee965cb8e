import { formatApiVersion, type GroupVersionKind } from '../../api/meta/group-version.ts';
import type { JsonObject } from '../../api/json/json.ts';
import { TimeSlice } from '../../api/scheduling/time-slice.ts';
import { encodeProtobuf } from '../../codec/protobuf/encode.ts';
import { envelopeParts } from '../../codec/protobuf/envelope.ts';
import { copyField, fieldSize, writeDelimitedEvent, writeWatchEvent } from '../../codec/protobuf/watch-event.ts';
import { protobufSerializer, writeProtobuf } from '../../codec/protobuf-serializer.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Schema } from '../../schema/schema.ts';
import type { CacheEntry } from '../../watchcache/cache-entry.ts';
import type { Encoding, Writing } from './encoding.ts';
import type { ListLayout } from './list-chunks.ts';
import type { ShownList } from './shown-list.ts';
import { protobufMessage, protobufObject, protobufSize } from './stored-message.ts';

const stream = `${protobufSerializer.mediaType};stream=watch`;
const itemsNumber = 2;

/** The watch cache keeps the messages of stored objects; all others are encoded per response. */
export const protobufEncoding: Encoding = {
  serializer: protobufSerializer,
  typedOnly: true,
  isKept: true,
  stored: protobufObject,
  list(source, { schemaOf }) {
    const schema = schemaOf(source.type);
    if (schema === undefined) throw new Error(`${source.type.kind} has no protobuf encoding`);
    const list = { type: source.type, schema, metadata: source.metadata, entries: source.entries };
    if (source.stored !== undefined) return messageList(list, keptMessages(source.stored));
    // Some forms write an empty list as null.
    return source.entries.length === 0 ? undefined : messageList(list, madeMessages(source));
  },
  events: {
    contentType: stream,
    name: stream,
    isText: false,
    write: (type, document, writing) => writeEvent(type, writeProtobuf(document, writing.schemaOf), writing),
    stored: ({ type, entry }, resource, writing) => writeEvent(type, protobufObject(entry, resource), writing),
  },
};

/** Events are length-delimited, except over WebSockets, whose messages have a length. */
function writeEvent(type: string, object: Uint8Array, { inMessages }: Writing): Uint8Array {
  return inMessages ? writeWatchEvent(type, object) : writeDelimitedEvent(type, object);
}

/** The source of a list's messages. */
interface Messages {
  readonly message: (entry: CacheEntry) => Uint8Array;
  readonly size: (entry: CacheEntry) => number;
}

/**
 * Messages of stored objects. Those that do not fit into the cache are encoded twice: for their size, and to be sent.
 */
function keptMessages(resource: Resource): Messages {
  return {
    message: (entry) => protobufMessage(entry, resource),
    size: (entry) => protobufSize(entry, resource),
  };
}

/** Uncached messages: each is encoded twice and only its size is kept in between. */
function madeMessages({ item, itemSchema }: ShownList): Messages {
  if (itemSchema === undefined) throw new Error('protobuf requires a schema');
  const sizes = new Map<CacheEntry, number>();
  const message = (entry: CacheEntry): Uint8Array => encodeProtobuf(itemSchema, item(entry));
  return {
    message,
    size(entry) {
      const size = sizes.get(entry) ?? message(entry).length;
      sizes.set(entry, size);
      return size;
    },
  };
}

/** The message of a list is preceded by its length, so the sizes of all items are needed up front. */
async function messageList(
  {
    type: { group, version, kind },
    schema,
    metadata,
    entries,
  }: {
    readonly type: GroupVersionKind;
    readonly schema: Schema;
    readonly metadata: JsonObject;
    readonly entries: readonly CacheEntry[];
  },
  { message, size }: Messages,
): Promise<ListLayout> {
  const head = encodeProtobuf(schema, { metadata });
  let rawBytes = head.length;
  const timeSlice = new TimeSlice();
  for (const entry of entries) {
    if (timeSlice.isOver) await timeSlice.next();
    rawBytes += fieldSize(size(entry));
  }
  const envelope = envelopeParts({ apiVersion: formatApiVersion(group, version), kind }, rawBytes);
  return {
    head: Buffer.concat([envelope.head, head]),
    tail: envelope.tail,
    size: (entry) => fieldSize(size(entry)),
    copy: (entry, _isFirst, into) => copyField(itemsNumber, message(entry), into),
  };
}
