import { encodeRaw, quoteJson } from '../api/json-text.ts';
import { formatApiVersion } from '../api/group-version.ts';
import type { JsonObject } from '../api/json.ts';
import { encodeProtobuf } from '../codec/protobuf/encode.ts';
import { envelopeParts } from '../codec/protobuf/envelope.ts';
import { copyField, fieldSize } from '../codec/protobuf/watch-event.ts';
import { copyItem, itemSize } from '../codec/stored-object.ts';
import type { Resource } from '../schema/resource.ts';
import { schemaOfKind } from '../schema/kubernetes/definitions.ts';
import type { CacheEntry } from '../watchcache/cache-entry.ts';
import type { ListForm } from './list-chunks.ts';
import { protobufMessage } from './stored-protobuf.ts';
import { yieldToEventLoop } from './yield.ts';

const comma = 0x2c;
const jsonTail = Buffer.from(']}\n');
const itemsNumber = 2;
const encodedPerTurn = 100;

/** `{"kind":"PodList","apiVersion":"v1","metadata":{...},"items":[` */
export function jsonListHead({ listKind, group, version }: Resource, meta: JsonObject): string {
  const apiVersion = quoteJson(formatApiVersion(group, version));
  return `{"kind":${quoteJson(listKind)},"apiVersion":${apiVersion},"metadata":${encodeRaw(meta)},"items":[`;
}

/** Stored bytes as they are. */
export function jsonListForm(resource: Resource, meta: JsonObject): ListForm {
  return {
    head: Buffer.from(jsonListHead(resource, meta)),
    tail: jsonTail,
    size: (entry, isFirst) => itemSize(entry.located(), String(entry.modRevision)) + (isFirst ? 0 : 1),
    copy(entry, isFirst, { target, position }) {
      const start = isFirst ? position : target.writeUInt8(comma, position);
      return copyItem(entry.located(), String(entry.modRevision), { target, position: start });
    },
  };
}

/** The message of the list tells its length before it begins, so every item is encoded first; the cache keeps them. */
export async function protobufListForm(
  resource: Resource,
  meta: JsonObject,
  entries: readonly CacheEntry[],
): Promise<ListForm> {
  const { listKind: kind, group, version } = resource;
  const schema = schemaOfKind({ group, version, kind });
  if (schema === undefined) throw new Error(`${kind} has no protobuf form`);
  const head = encodeProtobuf(schema, { metadata: meta });
  let rawBytes = head.length;
  for (const [index, entry] of entries.entries()) {
    rawBytes += fieldSize(protobufMessage(entry, resource).length);
    if (index % encodedPerTurn === encodedPerTurn - 1) await yieldToEventLoop();
  }
  const envelope = envelopeParts({ apiVersion: formatApiVersion(group, version), kind }, rawBytes);
  return {
    head: Buffer.concat([envelope.head, head]),
    tail: envelope.tail,
    size: (entry) => fieldSize(protobufMessage(entry, resource).length),
    copy: (entry, _isFirst, into) => copyField(itemsNumber, protobufMessage(entry, resource), into),
  };
}
