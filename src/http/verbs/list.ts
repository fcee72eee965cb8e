import { quoteJson } from '../../api/json-text.ts';
import { encodeRaw } from '../../api/json-text.ts';
import { formatApiVersion } from '../../api/group-version.ts';
import { copyItem, itemSize } from '../../codec/stored-object.ts';
import { listObjects, type ListResult } from '../../registry/list.ts';
import type { JsonObject } from '../../api/json.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { encodeJson } from '../../schema/encode-json.ts';
import { listMeta, type ListMeta, partialMetadataList } from '../partial-metadata.ts';
import { parseListOptions } from '../request-options.ts';
import { type ResourceRequest, storeOf } from '../resource-request.ts';
import { apiHeaders, isPretty, respondJson } from '../respond.ts';
import { readSelection } from '../selection.ts';
import { tableOf } from '../table.ts';
import { yieldToEventLoop } from '../yield.ts';

const chunkBytes = 512 * 1024;
const convertedPerTurn = 200;

/** GET of a collection. */
export async function list(request: ResourceRequest): Promise<void> {
  const { context, scope } = request;
  const options = parseListOptions(context.query, false);
  const result = await listObjects(storeOf(request), {
    ...options,
    selection: readSelection(request, options),
    resource: scope.groupResource,
    deadlineMs: context.deadlineMs,
  });
  await respondList(request, result);
}

/** Sends a list in the asked form. */
export async function respondList(request: ResourceRequest, result: ListResult): Promise<void> {
  const { context, scope, format } = request;
  const plain = format.as === 'object' && format.mediaType === 'application/json' && !isPretty(context, format);
  if (plain && scope.servesStoredVersion) await streamList(request, result);
  else await respondConverted(request, result);
}

function metaOf(result: ListResult): ListMeta {
  return {
    resourceVersion: String(result.revision),
    continue: result.continue,
    ...(result.remainingItemCount === undefined ? {} : { remainingItemCount: result.remainingItemCount }),
  };
}

/** `{"kind":"PodList","apiVersion":"v1","metadata":{...},"items":[` */
function listHead({ scope }: ResourceRequest, result: ListResult): string {
  const { listKind, group, version } = scope.resource;
  const apiVersion = quoteJson(formatApiVersion(group, version));
  return `{"kind":${quoteJson(listKind)},"apiVersion":${apiVersion},"metadata":${encodeRaw(listMeta(metaOf(result)))},"items":[`;
}

/** Sends stored bytes in large chunks, at the pace of the client. */
async function streamList(request: ResourceRequest, result: ListResult): Promise<void> {
  const { context, format } = request;
  context.responseCode = 200;
  const stream = new ChunkWriter(result);
  const head = Buffer.from(listHead(request, result));
  if (stream.fitsInOne(head.length)) {
    context.exchange.respond(200, apiHeaders(context, format.mediaType), stream.whole(head));
    return;
  }
  const response = context.exchange.start(200, apiHeaders(context, format.mediaType));
  response.write(head);
  for (let chunk = stream.next(); chunk !== undefined; chunk = stream.next()) {
    if (context.exchange.closed) return;
    if (!response.write(chunk)) await response.drained();
    await yieldToEventLoop();
  }
  response.write(']}\n');
  response.end();
}

/** Cuts a list into chunks of about `chunkBytes`. */
class ChunkWriter {
  readonly #entries: ListResult['entries'];
  #at = 0;

  constructor({ entries }: ListResult) {
    this.#entries = entries;
  }

  /** Whether everything is one small answer. */
  fitsInOne(headBytes: number): boolean {
    let sizeBytes = headBytes;
    for (const entry of this.#entries) {
      sizeBytes += itemSize(entry.located(), String(entry.modRevision)) + 1;
      if (sizeBytes > chunkBytes) return false;
    }
    return true;
  }

  whole(head: Buffer): Buffer {
    const items = this.next();
    return Buffer.concat(items === undefined ? [head, tail] : [head, items, tail]);
  }

  next(): Buffer | undefined {
    const first = this.#at;
    if (first === this.#entries.length) return undefined;
    let sizeBytes = 0;
    let end = first;
    for (; end < this.#entries.length; end += 1) {
      const entry = this.#entries[end];
      if (entry === undefined) break;
      const bytes = itemSize(entry.located(), String(entry.modRevision)) + 1;
      if (end > first && sizeBytes + bytes > chunkBytes) break;
      sizeBytes += bytes;
    }
    const target = Buffer.allocUnsafeSlow(sizeBytes);
    let position = 0;
    for (; this.#at < end; this.#at += 1) {
      const entry = this.#entries[this.#at];
      if (entry === undefined) break;
      if (this.#at > 0) position = target.writeUInt8(0x2c, position);
      position = copyItem(entry.located(), String(entry.modRevision), { target, position });
    }
    return target.subarray(0, position);
  }
}

const tail = Buffer.from(']}\n');

/** Every other form is built from objects. */
async function respondConverted(request: ResourceRequest, result: ListResult): Promise<void> {
  const { context, scope, format } = request;
  const objects = await decodeEntries(request, result);
  switch (format.as) {
    case 'Table':
      respondJson(
        context,
        200,
        encodeRaw(await tableOf(context, scope, { objects, list: metaOf(result), format })),
        format,
      );
      return;
    case 'object': {
      const items = objects.map((object) => encodeItem(request, object));
      respondJson(context, 200, `${listHead(request, result)}${items.join(',')}]}`, format);
      return;
    }
    default:
      respondJson(context, 200, encodeRaw(partialMetadataList(objects, metaOf(result), format.asVersion)), format);
  }
}

/** Items of typed lists do not tell their kind again. */
function encodeItem({ scope }: ResourceRequest, object: KubernetesObject): string {
  const { kind: _kind, apiVersion: _apiVersion, ...item } = scope.fromStored(object);
  return encodeJson(scope.resource.schema, item as JsonObject);
}

async function decodeEntries(request: ResourceRequest, { entries }: ListResult): Promise<KubernetesObject[]> {
  const { codec } = storeOf(request);
  const objects: KubernetesObject[] = [];
  for (const [index, entry] of entries.entries()) {
    objects.push(codec.decode(entry));
    if (index % convertedPerTurn === convertedPerTurn - 1) await yieldToEventLoop();
  }
  return objects;
}
