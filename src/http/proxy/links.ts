import { posix } from 'node:path';
import { pipeline } from 'node:stream';
import { createDeflateRaw, createGunzip, createGzip, createInflateRaw } from 'node:zlib';
import { GoUrlError, parseGoUrl } from '../../api/go/go-url.ts';
import { internalError } from '../../api/errors/status-errors.ts';
import { TimeSlice } from '../../api/scheduling/time-slice.ts';
import type { UpstreamResponse } from '../../outgoing/upstream-request.ts';
import { LinkRewriter } from './link-rewriter.ts';
import type { ProxyFront, ProxyTarget } from './proxy-target.ts';

/** The hosts that a server may use for itself in links: its address, or the requested one. */
export interface LinkHosts {
  readonly own: string;
  readonly requested: string;
}

/** A link of a page, or a Location, in a form that clients can reach. Other hosts and relative paths are kept. */
export function rewrittenLink(
  link: string,
  { scheme, host, prefix }: ProxyFront,
  { own, requested }: LinkHosts,
): string {
  const url = parseGoUrl(link);
  const isElsewhere = url.host !== '' && url.host !== own && url.host !== requested;
  if (isElsewhere || !url.path.startsWith('/')) return link;
  const isAsRequested = url.host === requested && scheme === '' && host === '';
  const origin = isAsRequested ? originOf(url.scheme, url.host) : originOf(scheme, host);
  const path = url.path.startsWith(prefix) ? url.path : posix.join(prefix, url.path);
  const hash = link.indexOf('#');
  const query = url.query === '' && !url.hasEmptyQuery ? '' : `?${url.query}`;
  return `${origin}${path}${query}${hash === -1 ? '' : link.slice(hash)}`;
}

function originOf(scheme: string, host: string): string {
  return `${scheme === '' ? '' : `${scheme}:`}${host === '' ? '' : `//${host}`}`;
}

/** Throws a StatusError for an invalid URL. */
export function rewrittenLocation(location: string, { front }: Pick<ProxyTarget, 'front'>, hosts: LinkHosts): string {
  if (front === undefined) return location;
  try {
    return rewrittenLink(location, front, hosts);
  } catch (error) {
    if (!(error instanceof GoUrlError)) throw error;
    throw internalError(`error trying to parse Location header: ${error.message}`, { cause: error });
  }
}

/** A page with its links rewritten while it passes; undefined if it is encoded in a way that is not known. */
export function rewrittenPage(
  response: UpstreamResponse,
  { front }: Pick<ProxyTarget, 'front'>,
  hosts: LinkHosts,
): AsyncIterable<Buffer> | undefined {
  if (front === undefined) return undefined;
  const rewriter = new LinkRewriter((link) => {
    try {
      return rewrittenLink(link, front, hosts);
    } catch (error) {
      if (error instanceof GoUrlError) return link;
      throw error;
    }
  });
  const rewritten = (page: AsyncIterable<Buffer>): AsyncIterable<Buffer> => rewrite(page, rewriter);
  const coding = response.header('content-encoding') ?? '';
  if (coding === '') return rewritten(response.body);
  // The reader of the last stream learns of failures.
  const ignore = (): void => undefined;
  if (coding === 'gzip') return pipeline(response.body, createGunzip(), rewritten, createGzip(), ignore);
  if (coding === 'deflate') return pipeline(response.body, createInflateRaw(), rewritten, createDeflateRaw(), ignore);
  return undefined;
}

/** The size of a piece of a page; one that is full of links must not keep other requests waiting. */
const pieceBytes = 4 * 1024;

async function* rewrite(page: AsyncIterable<Buffer>, rewriter: LinkRewriter): AsyncGenerator<Buffer> {
  const timeSlice = new TimeSlice();
  for await (const chunk of page) {
    for (let start = 0; start < chunk.length; start += pieceBytes) {
      const text = rewriter.write(chunk.toString('latin1', start, start + pieceBytes));
      if (text !== '') yield Buffer.from(text, 'latin1');
      if (timeSlice.isOver) await timeSlice.next();
    }
  }
  const rest = rewriter.end();
  if (rest !== '') yield Buffer.from(rest, 'latin1');
}
