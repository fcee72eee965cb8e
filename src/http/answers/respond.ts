import { encodeRaw } from '../../api/json-text.ts';
import type { JsonValue } from '../../api/json.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { type Status, StatusError, statusObject } from '../../api/status.ts';
import { inTurns } from '../../api/turns.ts';
import { protobufSerializer } from '../../codec/protobuf-serializer.ts';
import type { KindSchemas } from '../../codec/serializer.ts';
import { copyObject, objectSize } from '../../codec/stored-object.ts';
import { decodeInTurns, locatedOf, type StoredObject } from '../../registry/stored-object.ts';
import type { Resource } from '../../schema/resource.ts';
import { encodeJson } from '../../schema/encode-json.ts';
import type { HeaderMap } from '../transport/exchange.ts';
import type { OutputFormat } from '../negotiation/negotiate.ts';
import { wantsPretty } from '../negotiation/negotiate.ts';
import type { RequestContext } from '../request/request-context.ts';
import { type ResourceScope, type ServedKind, servedNow } from '../../operations/resource-scope.ts';
import { notPartial, partialMetadata } from '../forms/partial-metadata.ts';
import { sendBody } from './send.ts';
import { servedView } from '../forms/served-view.ts';
import { tableOf } from '../forms/table.ts';
import { protobufInTurns, storedJson } from '../forms/stored-protobuf.ts';
import { warningHeaders } from './warning-header.ts';

/** Headers of every answer of the API. */
export function apiHeaders(context: RequestContext, contentType: string): HeaderMap {
  const headers: { [name: string]: string | string[] } = {
    'content-type': contentType,
    ...context.commonHeaders,
  };
  if (context.warnings.size > 0) headers['warning'] = warningHeaders(context.warnings);
  return headers;
}

/** Sends text in the asked format; `json` is compact JSON. */
export async function respondJson(
  context: RequestContext,
  code: number,
  json: string,
  format: OutputFormat,
): Promise<void> {
  const body = await renderJson(context, Buffer.from(json), format);
  await sendBody(context, code, { headers: apiHeaders(context, format.mediaType), body });
}

/** JSON in the asked media type. */
export function renderJson(context: RequestContext, json: Uint8Array, format: OutputFormat): Promise<Uint8Array> {
  const serializer = context.mediaTypes.serializers.find(({ mediaType }) => mediaType === format.mediaType);
  if (serializer?.render === undefined) throw new Error(`no serializer for ${format.mediaType}`);
  return inTurns(serializer.render(json, { pretty: isPretty(context, format), schemaOf: schemasOf(context) }));
}

/** Schemas of the kinds that an answer may be of. */
export function schemasOf({ kinds }: RequestContext): KindSchemas {
  return (kind) => kinds.catalogue.schemaOf(kind);
}

/** Whether the answer is indented for people. */
export function isPretty(context: RequestContext, format: OutputFormat): boolean {
  return format.pretty || wantsPretty(context.query, context.exchange.header('user-agent'));
}

/** Sends a Status; the one place that writes one. */
export async function respondStatus(context: RequestContext, status: Status, format: OutputFormat): Promise<void> {
  const body = await renderStatus(context, status, format);
  // A deletion's success tells no code in its body.
  const code = status.code || 200;
  context.responseCode = code;
  const headers = apiHeaders(context, format.mediaType);
  const retry = status.details?.retryAfterSeconds;
  const withRetry = retry ? { ...headers, 'retry-after': String(retry) } : headers;
  context.exchange.respond(code, withRetry, body);
}

/** A Status that the format cannot say gives way to one that tells so; the code of the answer stays. */
async function renderStatus(context: RequestContext, status: Status, format: OutputFormat): Promise<Uint8Array> {
  try {
    return await renderJson(context, Buffer.from(encodeRaw(statusObject(status))), format);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return renderJson(context, Buffer.from(encodeRaw(statusObject(error.status))), format);
  }
}

/** Sends a stored object: its bytes as they are when the client asks for what is stored. */
export async function respondStored(
  context: RequestContext,
  scope: ResourceScope,
  { code, stored, format }: { readonly code: number; readonly stored: StoredObject; readonly format: OutputFormat },
): Promise<void> {
  const { conversion } = scope;
  if (format.as === 'object' && conversion.servesStoredVersion) {
    const headers = apiHeaders(context, format.mediaType);
    const body = await storedBody(context, { resource: scope.resource, stored, format });
    await sendBody(context, code, { headers, body });
    return;
  }
  if (scope.store === undefined) throw new Error(`${scope.resource.plural} is not stored`);
  const decoded = await decodeInTurns(scope.store.codec, stored);
  const answer = { code, format, served: scope.resource };
  if (conversion.waits) {
    const object = await conversion.fromStored(decoded);
    return respondObject(context, servedView(scope), { ...answer, object });
  }
  // Tables are made from what is stored, whatever version was asked for.
  const object = format.as === 'Table' ? decoded : servedNow(scope, decoded);
  await respondObject(context, scope, { ...answer, object });
}

/** A stored object in any media type, from its stored bytes. */
function storedBody(
  context: RequestContext,
  {
    resource,
    stored,
    format,
  }: { readonly resource: Resource; readonly stored: StoredObject; readonly format: OutputFormat },
): Uint8Array | Promise<Uint8Array> {
  if (format.mediaType === protobufSerializer.mediaType) return protobufInTurns(stored, resource);
  if (format.mediaType === 'application/json' && !isPretty(context, format)) return lineOf(stored);
  return renderJson(context, storedJson(stored), format);
}

/** The stored bytes with their resource version and a newline. */
function lineOf(stored: StoredObject): Buffer {
  const located = locatedOf(stored);
  const version = stored.modRevision === 0 ? undefined : String(stored.modRevision);
  const size = version === undefined ? located.bytes.length : objectSize(located, version);
  const target = Buffer.allocUnsafe(size + 1);
  if (version === undefined) target.set(located.bytes);
  else copyObject(located, version, { target, position: 0 });
  target[size] = 0x0a;
  return target;
}

/** Sends one object of the served version in any of the forms that can be asked for. */
export async function respondObject(
  context: RequestContext,
  scope: ResourceScope,
  answer: {
    readonly code: number;
    readonly object: KubernetesObject;
    readonly format: OutputFormat;
    readonly served: ServedKind;
  },
): Promise<void> {
  const { code, object, format, served } = answer;
  await respondJson(context, code, await objectText(context, scope, { object, format, served }), format);
}

/** JSON text of one object in the asked form. */
export async function objectText(
  context: RequestContext,
  scope: ResourceScope,
  {
    object,
    format,
    served,
  }: { readonly object: KubernetesObject; readonly format: OutputFormat; readonly served: ServedKind },
): Promise<string> {
  switch (format.as) {
    case 'object':
      return encodeJson(served.schema, object as unknown as JsonValue);
    case 'Table':
      return encodeRaw(
        await tableOf(context, scope, {
          objects: [object],
          printed: served,
          list: { resourceVersion: object.metadata.resourceVersion ?? '' },
          format,
        }),
      );
    case 'PartialObjectMetadata':
      return encodeRaw(partialMetadata(object, format.asVersion));
    default:
      throw notPartial(format.as, served, served.kind);
  }
}

/** Sends plain text, as health endpoints do, which only one that is well on its own lets be sniffed. */
export function respondText(context: RequestContext, code: number, text: string, { sniff = false } = {}): void {
  context.responseCode = code;
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    ...(sniff ? {} : { 'x-content-type-options': 'nosniff' }),
    ...context.commonHeaders,
  };
  context.exchange.respond(code, headers, text);
}
