import { formatApiVersion, type GroupVersionKind } from '../../api/group-version.ts';
import type { JsonObject } from '../../api/json.ts';
import { Turns } from '../../api/turns.ts';
import { encodeProtobuf } from '../../codec/protobuf/encode.ts';
import { envelopeParts } from '../../codec/protobuf/envelope.ts';
import { copyField, fieldSize } from '../../codec/protobuf/watch-event.ts';
import { copyItem, itemSize } from '../../codec/stored-object.ts';
import { isLarge } from '../../registry/stored-object.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Schema } from '../../schema/schema.ts';
import type { CacheEntry } from '../../watchcache/cache-entry.ts';
import { jsonListText } from './json-list.ts';
import type { ListForm } from './list-chunks.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import { schemasOf } from '../answers/respond.ts';
import { messageInTurns, protobufMessage, protobufSize } from './stored-protobuf.ts';

const comma = 0x2c;
const itemsNumber = 2;

/** Stored bytes as they are. */
export function jsonListForm(resource: Resource, meta: JsonObject): ListForm {
  const { head, tail } = jsonListText(resource, meta);
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

/** Stored objects as messages. Those that the cache has no room for are encoded twice: for their size, and when they are sent. */
export function protobufListForm(
  { scope: { resource }, context }: ResourceRequest,
  meta: JsonObject,
  entries: readonly CacheEntry[],
): Promise<ListForm> {
  const { listKind: kind, group, version } = resource;
  const schema = schemasOf(context)({ group, version, kind });
  const message = (entry: CacheEntry): Uint8Array => protobufMessage(entry, resource);
  const size = (entry: CacheEntry): number => protobufSize(entry, resource);
  const prepare = (entry: CacheEntry): Uint8Array | Promise<Uint8Array> => messageInTurns(entry, resource);
  return protobufForm({ group, version, kind, schema }, { meta, entries, message, size, prepare });
}

/** The message of a list tells its length before it begins, so the sizes of all items are asked for first. */
export async function protobufForm(
  kind: GroupVersionKind & { readonly schema: Schema | undefined },
  {
    meta,
    entries,
    message,
    size,
    prepare = message,
  }: {
    readonly meta: JsonObject;
    readonly entries: readonly CacheEntry[];
    readonly message: (entry: CacheEntry) => Uint8Array;
    readonly size: (entry: CacheEntry) => number;
    /** The message of a large object, in turns. */
    readonly prepare?: (entry: CacheEntry) => Uint8Array | Promise<Uint8Array>;
  },
): Promise<ListForm> {
  const { schema } = kind;
  if (schema === undefined) throw new Error(`${kind.kind} has no protobuf form`);
  const head = encodeProtobuf(schema, { metadata: meta });
  let rawBytes = head.length;
  const turns = new Turns();
  for (const entry of entries) {
    if (turns.isOver) await turns.next();
    if (isLarge(entry)) await prepare(entry);
    rawBytes += fieldSize(size(entry));
  }
  const ready = new Map<CacheEntry, Uint8Array>();
  const apiVersion = formatApiVersion(kind.group, kind.version);
  const envelope = envelopeParts({ apiVersion, kind: kind.kind }, rawBytes);
  return {
    head: Buffer.concat([envelope.head, head]),
    tail: envelope.tail,
    size: (entry) => fieldSize(size(entry)),
    async prepare(entry) {
      ready.set(entry, await prepare(entry));
    },
    copy(entry, _isFirst, into) {
      const bytes = ready.get(entry) ?? message(entry);
      ready.delete(entry);
      return copyField(itemsNumber, bytes, into);
    },
  };
}
