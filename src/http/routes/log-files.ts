import type { Stats } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { methodNotAllowed } from '../../api/errors/status-errors.ts';
import { PlainFailure } from '../responses/plain-failure.ts';
import type { RequestContext } from '../request/request-context.ts';
import { type ByteRange, rangeOf, refuseRange } from './byte-range.ts';
import { notFoundPage, type PathHandler, type PathRoutes } from './non-resource-routes.ts';

export const logFilesPath = '/logs';

/** The paths of the folder's files; none if there is no folder to show. */
export function logFileRoutes(root: string | undefined): {
  readonly exact: readonly (readonly [string, PathHandler])[];
  readonly prefixes: PathRoutes['prefixes'];
} {
  if (root === undefined) return { exact: [], prefixes: [] };
  const handle = logFilesHandler(root);
  return { exact: [[logFilesPath, handle]], prefixes: [{ prefix: `${logFilesPath}/`, handle }] };
}

/** Shows a folder: lists of its folders, and its files. Links lead out of it, as those of the logs of pods do. */
function logFilesHandler(root: string): PathHandler {
  return async (context) => {
    if (context.exchange.method !== 'GET') throw methodNotAllowed();
    const below = context.path.slice(logFilesPath.length);
    if (below.split('/').includes('..')) throw new PlainFailure(400, 'invalid URL path');
    if (below.endsWith('/index.html')) return redirect(context, './');
    try {
      // A file may be asked for with a slash at its end.
      await sendFound(context, resolve(root, `.${below}`));
    } catch (error) {
      throw failureOf(error);
    }
  };
}

async function sendFound(context: RequestContext, target: string): Promise<void> {
  const { path } = context.exchange;
  const found = await stat(target);
  if (found.isFile()) return sendFile(context, target, found);
  // Pipes and devices might not end.
  if (!found.isDirectory()) return notFoundPage(context);
  if (!path.endsWith('/')) return redirect(context, `${path.slice(path.lastIndexOf('/') + 1)}/`);
  return sendFolder(context, target, found);
}

const notFound = new PlainFailure(404, '404 page not found');
const forbidden = new PlainFailure(403, '403 Forbidden');

const failures: Readonly<Record<string, PlainFailure>> = {
  ENOENT: notFound,
  ENOTDIR: notFound,
  // A zero byte.
  ERR_INVALID_ARG_VALUE: notFound,
  ENAMETOOLONG: new PlainFailure(404, 'file not found'),
  EACCES: forbidden,
  EPERM: forbidden,
};

function failureOf(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return failures[code] ?? error;
}

function redirect(context: RequestContext, location: string): void {
  const { query } = context.exchange;
  const target = query === '' ? location : `${location}?${query}`;
  context.exchange.respond(301, { ...context.commonHeaders, location: target }, '');
}

async function sendFolder(context: RequestContext, folder: string, { mtimeMs }: Stats): Promise<void> {
  if (isUnchanged(context, mtimeMs)) return notModified(context, mtimeMs);
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).toSorted();
  const links = names.map((name) => `<a href="${linkTo(name)}">${escapeHtml(name)}</a>\n`).join('');
  const page = `<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n${links}</pre>\n`;
  const headers = { 'content-type': 'text/html; charset=utf-8', 'last-modified': httpDate(mtimeMs) };
  context.exchange.respond(200, { ...headers, ...context.commonHeaders }, page);
}

/** A name with a colon would be taken for a scheme. */
function linkTo(name: string): string {
  const encoded = escapeHtml(encodeURI(name).replaceAll('?', '%3F').replaceAll('#', '%23'));
  return encoded.split('/')[0]?.includes(':') === true ? `./${encoded}` : encoded;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

async function sendFile(context: RequestContext, path: string, { size, mtimeMs }: Stats): Promise<void> {
  if (isUnchanged(context, mtimeMs)) return notModified(context, mtimeMs);
  const range = rangeOf(context.exchange.header('range'), size);
  if (range === 'beyond' || range === 'invalid') return refuseRange(context, range, size);
  await using file = await open(path);
  const { start, end } = range ?? { start: 0, end: size };
  const headers = {
    'content-type': await typeOf(path, file),
    'content-length': end - start,
    'accept-ranges': 'bytes',
    'last-modified': httpDate(mtimeMs),
    ...(range === undefined ? {} : { 'content-range': `bytes ${start}-${end - 1}/${size}` }),
  };
  await sendPart(
    context,
    file,
    { start, end, status: range === undefined ? 200 : 206 },
    { ...headers, ...context.commonHeaders },
  );
}

const chunkBytes = 64 * 1024;

/** At the pace of the client. What a rotated file no longer has cannot be sent: the client sees it cut off. */
async function sendPart(
  { exchange }: RequestContext,
  file: FileHandle,
  { start, end, status }: ByteRange & { readonly status: number },
  headers: { readonly [name: string]: string | number },
): Promise<void> {
  const response = exchange.start(status, headers);
  for (let at = start; at < end;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.min(chunkBytes, end - at)), { position: at });
    if (exchange.closed) return;
    if (bytesRead === 0) return exchange.abort();
    at += bytesRead;
    if (!response.write(buffer.subarray(0, bytesRead))) await response.drained();
  }
  response.end();
}

const types: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.xml': 'text/xml; charset=utf-8',
  '.gz': 'application/gzip',
};

const sampleBytes = 512;

/** Never a page: what clients have sent may be in logs, and must not run in the browser of whoever reads them. */
async function typeOf(path: string, file: FileHandle): Promise<string> {
  const known = types[extname(path)];
  if (known !== undefined) return known;
  const { bytesRead, buffer } = await file.read(Buffer.alloc(sampleBytes), { position: 0 });
  const isBinary = buffer.subarray(0, bytesRead).some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27));
  return isBinary ? 'application/octet-stream' : 'text/plain; charset=utf-8';
}

function httpDate(ms: number): string {
  return new Date(ms).toUTCString();
}

/** Headers have whole seconds. */
function isUnchanged({ exchange }: RequestContext, mtimeMs: number): boolean {
  const since = Date.parse(exchange.header('if-modified-since') ?? '');
  return Math.floor(mtimeMs / 1_000) * 1_000 <= since;
}

function notModified(context: RequestContext, mtimeMs: number): void {
  context.exchange.respond(304, { 'last-modified': httpDate(mtimeMs), ...context.commonHeaders }, '');
}
