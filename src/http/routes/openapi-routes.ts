import { type AcceptClause, parseAccept } from '../negotiation/accept-header.ts';
import type { OpenApiDocument, OpenApiDocuments } from '../../openapi/documents.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { compress, prefersGzip } from '../transport/compression.ts';
import type { HeaderMap } from '../transport/exchange.ts';
import { rangeOf, refuseRange } from './byte-range.ts';
import type { PathHandler } from './non-resource-routes.ts';
import type { ServeRemote } from './remote-routes.ts';
import type { RequestContext } from '../request/request-context.ts';
import { apiHeaders } from '../answers/respond.ts';

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
      // Without a tag; `*` means any version.
      if (context.exchange.header('if-none-match') === '*') return respondNothing(context, 304, {});
      return respond(context, await documents.index(), { 'content-type': 'text/plain; charset=utf-8' });
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
    return respondValidated(context, document, headers);
  respondValidated(context, await compressed(document), { ...headers, 'content-encoding': 'gzip' });
}

const compressedBodies = new WeakMap<OpenApiDocument, Promise<Buffer>>();

/** The compressed document, cached: it is large and every kubectl asks for it. */
async function compressed(document: OpenApiDocument): Promise<OpenApiDocument> {
  let body = compressedBodies.get(document);
  if (body === undefined) {
    body = compress(document.body);
    compressedBodies.set(document, body);
  }
  return { etag: document.etag, body: await body };
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
  respondValidated(context, document ?? asJson, { ...headers, ...lasting });
}

/** The Content-Type of the document stays on the redirect, as in the reference. */
function redirect(context: RequestContext, location: string, headers: HeaderMap): void {
  context.responseCode = 301;
  context.exchange.respond(301, { ...withoutType(context), ...headers, location }, '');
}

/** A response without a body. */
function respondNothing(context: RequestContext, code: number, headers: HeaderMap): void {
  context.responseCode = code;
  context.exchange.respond(code, { ...withoutType(context), ...headers }, '');
}

function withoutType(context: RequestContext): HeaderMap {
  const { 'content-type': _, ...headers } = apiHeaders(context, '');
  return headers;
}

/** Responds 304 to clients that have the current document (RFC 9110 section 13.1.2). */
function respondValidated(context: RequestContext, document: OpenApiDocument, headers: HeaderMap): void {
  const etag = `"${document.etag}"`;
  if (!hasTag(context.exchange.header('if-none-match') ?? '', etag))
    return respond(context, document, { ...headers, etag });
  const { 'content-type': _, ...others } = headers;
  respondNothing(context, 304, { ...others, etag });
}

/** Whether a list of tags, weak or not, has this one. */
function hasTag(list: string, etag: string): boolean {
  return list.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}

function respond(context: RequestContext, { body }: OpenApiDocument, headers: HeaderMap): void {
  const range = askedRange(context, body.length, headers['etag']);
  if (range === 'beyond' || range === 'invalid') return refuseRange(context, range, body.length);
  const all = { ...apiHeaders(context, 'application/json'), 'accept-ranges': 'bytes', ...headers };
  context.responseCode = range === undefined ? 200 : 206;
  if (range === undefined) return context.exchange.respond(200, all, body);
  const contentRange = `bytes ${range.start}-${range.end - 1}/${body.length}`;
  context.exchange.respond(206, { ...all, 'content-range': contentRange }, body.subarray(range.start, range.end));
}

/** A client that continues a document asks for the rest of the one that it has begun. */
function askedRange({ exchange }: RequestContext, size: number, etag: unknown): ReturnType<typeof rangeOf> {
  const condition = exchange.header('if-range');
  return condition === undefined || condition === etag ? rangeOf(exchange.header('range'), size) : undefined;
}
