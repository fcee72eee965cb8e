import { encodeRaw } from '../../api/json-text.ts';
import { cborSerializer } from '../../codec/cbor-serializer.ts';
import { protobufSerializer } from '../../codec/protobuf-serializer.ts';
import { listObjects, type ListResult } from '../../registry/list.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { Turns } from '../../api/turns.ts';
import { cborListForm } from '../forms/cbor-list.ts';
import { convertedForm, itemOf } from '../forms/converted-forms.ts';
import { encodeJson } from '../../schema/encode-json.ts';
import { servedNow } from '../../operations/resource-scope.ts';
import { ListChunks, type ListForm } from '../forms/list-chunks.ts';
import { jsonListText } from '../forms/json-list.ts';
import { jsonListForm, protobufListForm } from '../forms/list-forms.ts';
import { listMeta, type ListMeta, notPartial, partialMetadataList } from '../forms/partial-metadata.ts';
import { parseListOptions } from '../request/request-options.ts';
import { type ResourceRequest, storeOf } from '../request/resource-request.ts';
import { apiHeaders, isPretty, respondJson } from '../answers/respond.ts';
import { readSelection } from '../request/selection.ts';
import { servedEntries, servedView } from '../forms/served-view.ts';
import { sendChunks } from '../answers/send.ts';
import { tableOf } from '../forms/table.ts';

/** GET of a collection. */
export async function list(request: ResourceRequest): Promise<void> {
  const { context, scope } = request;
  const options = parseListOptions(context.query, request.features);
  const result = await listObjects(storeOf(request), {
    ...options,
    selection: readSelection(request, options),
    resource: scope.groupResource,
    deadlineMs: context.deadlineMs,
  });
  await respondList(request, result);
}

/** Sends a list in the asked form. */
export async function respondList(asked: ResourceRequest, found: ListResult): Promise<void> {
  const { conversion } = asked.scope;
  const request = conversion.waits ? { ...asked, scope: servedView(asked.scope) } : asked;
  const result = conversion.waits ? { ...found, entries: await servedEntries(asked.scope, found.entries) } : found;
  const { scope, format } = request;
  if (format.as === 'PartialObjectMetadata') throw notPartial(format.as, scope.resource, scope.resource.listKind);
  const stored =
    format.as === 'object' && scope.conversion.servesStoredVersion ? await storedForm(request, result) : undefined;
  const list = format.as === 'object' ? wholeMetaOf(result) : metaOf(result);
  const form = stored ?? (await convertedForm(request, { list, entries: result.entries }));
  if (form === undefined) await respondWhole(request, result);
  else await streamList(request, result, form);
}

/** How stored objects go into a list without being read; undefined where they must be. */
async function storedForm(request: ResourceRequest, result: ListResult): Promise<ListForm | undefined> {
  const { context, scope, format } = request;
  const { resource } = scope;
  const meta = listMeta(wholeMetaOf(result));
  if (format.mediaType === protobufSerializer.mediaType) return protobufListForm(request, meta, result.entries);
  if (format.mediaType === cborSerializer.mediaType) return cborListForm(resource, meta, result.entries);
  const plain = format.mediaType === 'application/json' && !isPretty(context, format);
  return plain ? jsonListForm(resource, meta) : undefined;
}

function metaOf(result: ListResult): ListMeta {
  return {
    resourceVersion: String(result.revision),
    continue: result.continue,
    ...(result.remainingItemCount === undefined ? {} : { remainingItemCount: result.remainingItemCount }),
  };
}

/** Of a list of whole objects; Tables and lists of metadata do not tell of shards. */
function wholeMetaOf(result: ListResult): ListMeta {
  return { ...metaOf(result), ...(result.shard === undefined ? {} : { shard: result.shard }) };
}

/** Sends stored bytes in large chunks. */
function streamList({ context, format }: ResourceRequest, { entries }: ListResult, form: ListForm): Promise<void> {
  const headers = apiHeaders(context, format.mediaType);
  return sendChunks(context, 200, { headers, chunks: new ListChunks(form, entries) });
}

/** What is not sent item by item: lists of nothing, Tables whose rows depend on each other, and other versions in CBOR. */
async function respondWhole(request: ResourceRequest, result: ListResult): Promise<void> {
  const { context, scope, format } = request;
  const { codec } = storeOf(request);
  const objects = await inEachTurn(result.entries, (entry) => codec.decode(entry));
  switch (format.as) {
    case 'Table':
      await respondJson(
        context,
        200,
        encodeRaw(await tableOf(context, scope, { objects, list: metaOf(result), format })),
        format,
      );
      return;
    case 'object': {
      const { head, tail } = jsonListText(scope.resource, listMeta(wholeMetaOf(result)));
      const items = await inEachTurn(objects, (object) => encodeItem(request, object));
      await respondJson(context, 200, `${head}${items.join(',')}${tail}`, format);
      return;
    }
    default:
      await respondJson(
        context,
        200,
        encodeRaw(partialMetadataList(objects, metaOf(result), format.asVersion)),
        format,
      );
  }
}

function encodeItem({ scope }: ResourceRequest, object: KubernetesObject): string {
  return encodeJson(scope.resource.schema, itemOf(scope.resource, servedNow(scope, object)));
}

async function inEachTurn<From, To>(items: readonly From[], convert: (item: From) => To): Promise<To[]> {
  const converted: To[] = [];
  const turns = new Turns();
  for (const item of items) {
    if (turns.isOver) await turns.next();
    converted.push(convert(item));
  }
  return converted;
}
