import type { ListResult } from '../../registry/read/list.ts';
import { decoded } from '../../registry/stored/stored-object.ts';
import { ListChunks, type ListLayout } from '../forms/list-chunks.ts';
import type { ListMeta } from '../forms/list-meta.ts';
import { codecOf } from '../forms/shown-list.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import { auditResponse } from './audited-response.ts';
import type { Document } from '../../codec/document.ts';
import { apiHeaders, respondDocument } from './respond.ts';
import { sendChunks } from './send.ts';
import { beginResponse } from './traced-response.ts';
import { ResponseWriting } from './writing.ts';

/** Sends a list in the negotiated form; `request.scope` shows its entries. */
export async function respondList(request: ResourceRequest, result: ListResult): Promise<void> {
  const layout = await layoutOf(request, result);
  if (layout !== undefined && request.context.audit?.logs('RequestResponse') === true) {
    const document = await wholeDocument(request, result);
    auditResponse(request.context, () => document);
  }
  if (layout === undefined) await respondWhole(request, result);
  else await sendList(request, result, layout);
}

/** The layout for sending the list item by item; undefined when it must be built as a whole. */
async function layoutOf(request: ResourceRequest, result: ListResult): Promise<ListLayout | undefined> {
  const { context, format } = request;
  const source = await format.form.list(request, { list: metaOf(result), entries: result.entries });
  return source === undefined ? undefined : format.encoding.list?.(source, new ResponseWriting(context, format));
}

function metaOf({ revision, continue: token, remainingItemCount, shard }: ListResult): ListMeta {
  return {
    resourceVersion: String(revision),
    continue: token,
    ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
    ...(shard === undefined ? {} : { shard }),
  };
}

async function sendList(
  { context, format }: ResourceRequest,
  { entries }: ListResult,
  layout: ListLayout,
): Promise<void> {
  const steps = beginResponse(context, format);
  const headers = apiHeaders(context, format.encoding.serializer.mediaType);
  steps?.encoded();
  await sendChunks(context, 200, { headers, chunks: new ListChunks(layout, entries) });
  steps?.sent();
}

async function respondWhole(request: ResourceRequest, result: ListResult): Promise<void> {
  const { context, format } = request;
  await respondDocument(context, 200, await wholeDocument(request, result), format);
}

async function wholeDocument(request: ResourceRequest, result: ListResult): Promise<Document> {
  const { scope, format } = request;
  return format.form.whole(request, metaOf(result), decoded(codecOf(scope), result.entries));
}
