import { methodNotAllowed, notAcceptable } from '../api/status-errors.ts';
import type { OpenApiDocument, OpenApiDocuments } from '../openapi/documents.ts';
import { compress, prefersGzip } from './compression.ts';
import type { HeaderMap } from './exchange.ts';
import { negotiateOutput } from './negotiate.ts';
import { notFoundPage, type PathHandler } from './non-resource-routes.ts';
import type { RequestContext } from './request-context.ts';
import { apiHeaders } from './respond.ts';

/** What clients ask for, and what the answer calls itself. */
const v2Protobuf = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const v2ProtobufAnswer = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const hashedMaxAgeSeconds = 31_536_000;

/** `/openapi/v2` and `/openapi/v3` with all below it. `documents` are made at the first request. */
export function openApiHandler(documents: () => OpenApiDocuments): PathHandler {
  return (context) => {
    const { method, path } = context.exchange;
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed();
    if (path === '/openapi/v2') return respondV2(context, documents());
    if (path === '/openapi/v3') {
      return respond(context, documents().index(), { 'content-type': 'text/plain; charset=utf-8' });
    }
    const document = documents().v3(path.slice('/openapi/v3/'.length));
    if (!path.startsWith('/openapi/v3/') || document === undefined) return notFoundPage(context);
    return respondV3(context, document);
  };
}

async function respondV2(context: RequestContext, documents: OpenApiDocuments): Promise<void> {
  const { mediaType } = negotiateOutput(context.exchange.header('accept'), {
    mediaTypes: ['application/json', v2Protobuf],
    transforms: [],
  });
  const isProtobuf = mediaType === v2Protobuf;
  const document = isProtobuf ? documents.v2Protobuf() : documents.v2Json();
  const headers = {
    'content-type': isProtobuf ? v2ProtobufAnswer : 'application/json',
    vary: ['Accept-Encoding', 'Accept'],
  };
  if (!prefersGzip(context.exchange.header('accept-encoding'))) return respondValidated(context, document, headers);
  respondValidated(context, await compressed(document), { ...headers, 'content-encoding': 'gzip' });
}

const compressedBodies = new WeakMap<OpenApiDocument, Promise<Buffer>>();

/** The document compressed: once, since it is large and every kubectl asks for it. */
async function compressed(document: OpenApiDocument): Promise<OpenApiDocument> {
  let body = compressedBodies.get(document);
  if (body === undefined) {
    body = compress(document.body);
    compressedBodies.set(document, body);
  }
  return { etag: document.etag, body: await body };
}

/** A document under its hash never changes: clients may keep it (`Cache-Control: immutable`). */
function respondV3(context: RequestContext, document: OpenApiDocument): void {
  const { mediaType } = negotiateOutput(context.exchange.header('accept'), {
    mediaTypes: ['application/json'],
    transforms: [],
  });
  if (mediaType === '') throw notAcceptable(['application/json']);
  const hash = context.query.get('hash');
  if (hash !== null && hash !== document.etag) {
    const location = `${context.exchange.path}?hash=${document.etag}`;
    context.responseCode = 301;
    context.exchange.respond(301, { ...apiHeaders(context, 'text/html; charset=utf-8'), location }, '');
    return;
  }
  const lasting = hash === null ? {} : { 'cache-control': `public, immutable, max-age=${hashedMaxAgeSeconds}` };
  respondValidated(context, document, { 'content-type': 'application/json', vary: 'Accept', ...lasting });
}

/** Answers 304 to those who have the document already (RFC 9110 section 13.1.2). */
function respondValidated(context: RequestContext, document: OpenApiDocument, headers: HeaderMap): void {
  const etag = `"${document.etag}"`;
  if (context.exchange.header('if-none-match') !== etag) return respond(context, document, { ...headers, etag });
  context.responseCode = 304;
  context.exchange.respond(304, { ...apiHeaders(context, 'application/json'), ...headers, etag }, '');
}

function respond(context: RequestContext, { body }: OpenApiDocument, headers: HeaderMap): void {
  context.responseCode = 200;
  context.exchange.respond(200, { ...apiHeaders(context, 'application/json'), ...headers }, body);
}
