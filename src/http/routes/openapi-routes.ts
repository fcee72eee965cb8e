import { type AcceptClause, parseAccept } from '../negotiation/accept-header.ts';
import type { OpenApiDocument, OpenApiDocuments } from '../../openapi/documents.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { compress, prefersGzip } from '../transport/compression.ts';
import type { HeaderMap } from '../transport/exchange.ts';
import { refuseRange } from './byte-range.ts';
import { responseFor } from './document-conditions.ts';
import type { PathHandler } from './non-resource-routes.ts';
import type { ServeRemote } from './remote-routes.ts';
import type { RequestContext } from '../request/request-context.ts';
import { apiHeaders } from '../responses/respond.ts';

/** The formats of a document: the Accept types, and the Content-Type of the response. JSON is the default. */
interface Form {
  readonly accepted: readonly string[];
  readonly contentType: string;
}

const json: Form = { accepted: ['application/json'], contentType: 'application/json' };

function protobuf(version: 2 | 3): Form {
  const contentType = `application/com.github.proto-openapi.spec.v${version}.v1.0+protobuf`;
  return {
    accepted: [contentType, `application/com.github.proto-openapi.spec.v${version}@v1.0+protobuf`],
    contentType,
  };
}

const forms = { v2: [json, protobuf(2)], v3: [json, protobuf(3)] } as const;
const hashedMaxAgeMs = 365 * 24 * 3600 * 1000;

/** Serves `/openapi/v2`, `/openapi/v3` and everything below, for any method. Documents are built on demand. */
export function openApiHandler(
  documentsOf: (catalogue: Catalogue) => OpenApiDocuments,
  serveRemote: ServeRemote,
): PathHandler {
  return async (context) => {
    const { path } = context;
    const documents = documentsOf(context.kinds.catalogue);
    if (path === '/openapi/v2') return respondV2(context, documents);
    if (path === '/openapi/v3') {
      const { body } = await documents.index();
      // Made anew each time, and without a tag.
      const found = { body, etag: undefined, modifiedMs: context.receivedMs };
      return respondAsRequested(context, found, {
        headers: {},
        ofBody: { 'content-type': 'text/plain; charset=utf-8' },
      });
    }
    const name = path.slice('/openapi/v3/'.length);
    const remote = documents.remote(name);
    return remote === undefined ? respondV3(context, documents, name) : serveRemote(context, remote);
  };
}

/** The first format that the client accepts, by wildcard or name. */
function chooseForm(clauses: readonly AcceptClause[], offered: readonly Form[]): Form | undefined {
  for (const { type, subtype } of clauses) {
    const found = offered.find(({ accepted }) =>
      accepted.some((name) => {
        const [offeredType, offeredSubtype] = name.split('/');
        return (type === '*' || type === offeredType) && (subtype === '*' || subtype === offeredSubtype);
      }),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

function clausesOf({ exchange }: RequestContext): readonly AcceptClause[] {
  const accept = exchange.header('accept') ?? '';
  return parseAccept(accept === '' ? '*/*' : accept);
}

async function respondV2(context: RequestContext, documents: OpenApiDocuments): Promise<void> {
  const vary = ['Accept-Encoding', 'Accept'];
  const form = chooseForm(clausesOf(context), forms.v2);
  if (form === undefined) return respondNothing(context, 406, { vary });
  const document = await (form === json ? documents.v2Json() : documents.v2Protobuf());
  const headers = { 'content-type': form.contentType, vary };
  // A range is one of the document, which is not compressed then.
  const wholly = context.exchange.header('range') === undefined;
  if (!wholly || !prefersGzip(context.exchange.header('accept-encoding')))
    return respondDocument(context, document, headers);
  const body = await compressed(document);
  respondDocument(context, document, headers, { body, 'content-encoding': 'gzip' });
}

const compressedBodies = new WeakMap<OpenApiDocument, Promise<Buffer>>();

/** The compressed document, cached: it is large and every kubectl asks for it. */
function compressed(document: OpenApiDocument): Promise<Buffer> {
  let body = compressedBodies.get(document);
  if (body === undefined) {
    body = compress(document.body);
    compressedBodies.set(document, body);
  }
  return body;
}

/** A document requested with its hash never changes: clients may cache it (`Cache-Control: immutable`). */
async function respondV3(context: RequestContext, documents: OpenApiDocuments, name: string): Promise<void> {
  const asJson = await documents.v3(name);
  if (asJson === undefined) return respondNothing(context, 404, {});
  const vary = 'Accept';
  const clauses = clausesOf(context);
  const form = chooseForm(clauses, forms.v3);
  // An Accept header without a valid clause gets an empty response, as in the reference.
  if (clauses.length === 0) return respondNothing(context, 200, {});
  if (form === undefined) return respondNothing(context, 406, { vary });
  const headers = { 'content-type': form.contentType, vary, etag: `"${asJson.etag}"` };
  const hash = context.query.get('hash') ?? '';
  if (hash !== '' && hash !== asJson.etag)
    return redirect(context, `${context.exchange.path}?hash=${asJson.etag}`, headers);
  const expires = new Date(context.receivedMs + hashedMaxAgeMs).toUTCString();
  const lasting = hash === '' ? {} : { 'cache-control': 'public, immutable', expires };
  const document = form === json ? asJson : await documents.v3Protobuf(name);
  respondDocument(context, document ?? asJson, { ...headers, ...lasting });
}

/** The Content-Type of the document stays on the redirect, as in the reference. */
function redirect(context: RequestContext, location: string, headers: HeaderMap): void {
  context.exchange.respond(301, { ...withoutType(context), ...headers, location }, '');
}

/** A response without a body. */
function respondNothing(context: RequestContext, code: number, headers: HeaderMap): void {
  context.exchange.respond(code, { ...withoutType(context), ...headers }, '');
}

function withoutType(context: RequestContext): HeaderMap {
  const { 'content-type': _, ...headers } = apiHeaders(context, '');
  return headers;
}

/** When documents were first asked for. */
const modifiedTimes = new WeakMap<OpenApiDocument, number>();

/** The encoding is that of another body in its place. */
function respondDocument(
  context: RequestContext,
  document: OpenApiDocument,
  headers: HeaderMap,
  { body = document.body, ...encoding }: { readonly body?: Buffer; readonly 'content-encoding'?: string } = {},
): void {
  const modifiedMs = modifiedTimes.get(document) ?? context.receivedMs;
  modifiedTimes.set(document, modifiedMs);
  const etag = `"${document.etag}"`;
  respondAsRequested(context, { body, etag, modifiedMs }, { headers: { ...headers, etag }, ofBody: encoding });
}

interface Found {
  readonly body: Buffer;
  readonly etag: string | undefined;
  readonly modifiedMs: number;
}

/** Responds with the document, a part of it, or what else the conditions of the request demand. */
function respondAsRequested(
  context: RequestContext,
  { body, etag, modifiedMs }: Found,
  { headers, ofBody }: { readonly headers: HeaderMap; readonly ofBody: HeaderMap },
): void {
  const seconds = Math.floor(modifiedMs / 1000) * 1000;
  const sizeBytes = body.length;
  const response = responseFor((name) => context.exchange.header(name), { etag, modifiedMs: seconds, sizeBytes });
  const dated = { ...headers, 'last-modified': new Date(seconds).toUTCString() };
  if (response === 'unchanged') return respondUnchanged(context, dated);
  if (response === 'precondition failed') return respondNothing(context, 412, dated);
  const whole = { ...dated, ...ofBody, 'accept-ranges': 'bytes' };
  if (response === 'whole') return respond(context, 200, body, whole);
  if (response === 'beyond' || response === 'invalid') return refuseRange(context, response, sizeBytes);
  const { start, end } = response;
  const range = { 'content-range': `bytes ${start}-${end - 1}/${sizeBytes}` };
  respond(context, 206, body.subarray(start, end), { ...whole, ...range });
}

/** A tag says more than a date. */
function respondUnchanged(context: RequestContext, headers: HeaderMap): void {
  const { 'content-type': _, 'last-modified': modified, ...others } = headers;
  const isDated = modified !== undefined && others['etag'] === undefined;
  respondNothing(context, 304, isDated ? { ...others, 'last-modified': modified } : others);
}

function respond(context: RequestContext, code: number, body: Buffer, headers: HeaderMap): void {
  context.exchange.respond(code, { ...apiHeaders(context, 'application/json'), ...headers }, body);
}
