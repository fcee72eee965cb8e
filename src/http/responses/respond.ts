import type { KubernetesObject } from '../../api/meta/object.ts';
import { type Status, StatusError, statusObject } from '../../api/errors/status.ts';
import type { Document } from '../../codec/document.ts';
import { type ResourceScope, type ServedKind } from '../../operations/resource-scope.ts';
import { storedJson, type StoredObject } from '../../registry/stored/stored-object.ts';
import { unchangeable, UnreadableError } from '../../registry/stored/unreadable.ts';
import { objectForm } from '../forms/object-form.ts';
import { showsStored } from '../forms/shown-list.ts';
import type { OutputFormat } from '../negotiation/output-format.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { HeaderMap } from '../transport/exchange.ts';
import { auditResponse } from './audited-response.ts';
import { readsOf } from './reads.ts';
import { sendBody, sendChunks } from './send.ts';
import { type ResponseSteps, beginResponse } from './traced-response.ts';
import { warningHeaders } from './warning-header.ts';
import { ResponseWriting } from './writing.ts';
import { WrittenChunks } from './written-chunks.ts';

/** Headers of every API response. */
export function apiHeaders(context: RequestContext, contentType: string): HeaderMap {
  const headers: { [name: string]: string | string[] } = {
    'content-type': contentType,
    ...context.commonHeaders,
  };
  if (context.isUnsniffable) headers['x-content-type-options'] = 'nosniff';
  if (context.warnings.size > 0) headers['warning'] = warningHeaders(context.warnings);
  return headers;
}

/** Sends a document in the negotiated format. */
export async function respondDocument(
  context: RequestContext,
  code: number,
  document: Document,
  format: OutputFormat,
): Promise<void> {
  if (context.audit !== undefined) auditResponse(context, () => document);
  await sendDocument(context, { code, document, format }, beginResponse(context, format));
}

interface DocumentResponse {
  readonly code: number;
  readonly document: Document;
  readonly format: OutputFormat;
}

async function sendDocument(
  context: RequestContext,
  { code, document, format }: DocumentResponse,
  steps: ResponseSteps | undefined,
): Promise<void> {
  const { serializer } = format.encoding;
  const headers = apiHeaders(context, serializer.mediaType);
  if (serializer.writePieces === undefined) {
    const body = writeDocument(context, document, format);
    steps?.encoded(body.length);
    await sendBody(context, code, { headers, body });
  } else {
    const chunks = new WrittenChunks(serializer.writePieces(document));
    steps?.encoded(chunks.knownBytes);
    await sendChunks(context, code, { headers, chunks });
  }
  steps?.sent();
}

/** Encodes a document in the negotiated media type. */
export function writeDocument(context: RequestContext, document: Document, format: OutputFormat): Uint8Array {
  return format.encoding.serializer.write(document, new ResponseWriting(context, format));
}

/** Sends a Status; nothing else writes one. */
export async function respondStatus(context: RequestContext, status: Status, format: OutputFormat): Promise<void> {
  const steps = beginResponse(context, format, { isRefusal: status.status !== 'Success' });
  const body = writeStatus(context, status, format);
  steps?.encoded(body.length);
  // The Status of a successful deletion has no code.
  const code = status.code || 200;
  context.audit?.addStatus(status);
  const headers = apiHeaders(context, format.encoding.serializer.mediaType);
  const retry = status.details?.retryAfterSeconds;
  const withRetry = retry ? { ...headers, 'retry-after': String(retry) } : headers;
  context.exchange.respond(code, withRetry, body);
  steps?.sent();
}

/** A Status without its kind, as text. */
export function respondUntyped(context: RequestContext, status: Status): void {
  const { kind: _kind, apiVersion: _version, ...untyped } = statusObject(status);
  context.audit?.addStatus(status);
  respondText(context, status.code, `${JSON.stringify(untyped)}\n`);
}

/** A Status that cannot be encoded in the format is replaced by one that says so; the response code stays. */
function writeStatus(context: RequestContext, status: Status, format: OutputFormat): Uint8Array {
  try {
    return writeDocument(context, statusDocument(status), format);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return writeDocument(context, statusDocument(error.status), format);
  }
}

export function statusDocument(status: Status): Document {
  return { object: statusObject(status), schema: undefined };
}

/** A stored object as a response. */
export interface StoredResponse {
  readonly code: number;
  readonly stored: StoredObject;
  readonly format: OutputFormat;
}

/** Sends a stored object: its bytes unchanged when the client asked for the stored representation. */
export async function respondStored(
  context: RequestContext,
  scope: ResourceScope,
  { code, stored, format }: StoredResponse,
): Promise<void> {
  if (format.form === objectForm && showsStored(scope, stored)) {
    const { encoding } = format;
    if (context.audit !== undefined) auditResponse(context, () => ({ json: storedJson(stored) }));
    const steps = beginResponse(context, format);
    const written = encoding.stored?.(stored, scope.resource, new ResponseWriting(context, format));
    if (written === undefined)
      return sendDocument(context, { code, document: { json: storedJson(stored) }, format }, steps);
    const body = await written;
    steps?.encoded(body.length);
    await sendBody(context, code, { headers: apiHeaders(context, encoding.serializer.mediaType), body });
    steps?.sent();
    return;
  }
  if (scope.store === undefined) throw new Error(`${scope.resource.plural} is not stored`);
  const decoded = scope.store.codec.decode(stored, format.form.shows);
  const reads = readsOf(scope);
  const shown = reads.decoded(decoded, format.form);
  const object = shown instanceof Promise ? await shown : shown;
  await respondObject(context, reads.shown, { code, format, served: scope.resource, object });
}

/** Responds with what has just been written; one that cannot be converted back is refused as by an update. */
export async function respondWritten(
  context: RequestContext,
  scope: ResourceScope,
  response: StoredResponse,
): Promise<void> {
  try {
    await respondStored(context, scope, { ...response, stored: sharedState(scope, response) });
  } catch (error) {
    const isUnreadable = error instanceof UnreadableError && scope.store !== undefined;
    throw isUnreadable ? unchangeable(scope.store, error.found) : error;
  }
}

/** What the watch cache has of it, so that events and later reads share the form of the answer. */
function sharedState({ store }: ResourceScope, { stored, format }: StoredResponse): StoredObject {
  if (format.encoding.isKept !== true || stored.key === undefined) return stored;
  const entry = store?.openedCache?.()?.snapshot().entries.get(stored.key);
  return entry?.modRevision === stored.modRevision ? entry : stored;
}

/** An object in the served version, or in the storage version for forms that show that. */
export interface ObjectResponse {
  readonly code: number;
  readonly object: KubernetesObject;
  readonly format: OutputFormat;
  readonly served: ServedKind;
}

/** Sends one object in any form. */
export async function respondObject(
  context: RequestContext,
  scope: ResourceScope,
  { code, object, format, served }: ObjectResponse,
): Promise<void> {
  const document = await format.form.object({ context, scope, format }, object, served);
  await respondDocument(context, code, document, format);
}

interface TextOptions {
  /** Omits X-Content-Type-Options. */
  readonly sniff?: boolean;
  readonly headers?: HeaderMap;
  /** Sends only one of the common headers: the one that identifies the request. */
  readonly isBare?: boolean;
}

/** Sends plain text, as health endpoints do. */
export function respondText(
  context: RequestContext,
  code: number,
  text: string,
  { sniff = false, headers: more = {}, isBare = false }: TextOptions = {},
): void {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    ...(sniff ? {} : { 'x-content-type-options': 'nosniff' }),
    ...(isBare ? { 'audit-id': context.auditId } : context.commonHeaders),
    ...more,
  };
  context.exchange.respond(code, headers, text);
}
