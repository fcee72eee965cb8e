import { Turns } from '../../api/turns.ts';
import { GzipStream, gzipHeaders, minCompressedBytes } from '../transport/compression.ts';
import type { HeaderMap, ResponseStream } from '../transport/exchange.ts';
import type { RequestContext } from '../request/request-context.ts';

/** An answer that is made while it is sent. A chunk has been taken when the next is asked for. */
export interface ChunkSource {
  /** True once `next` has given the end. */
  readonly finished: boolean;
  next(): Uint8Array;
  /** Resolves when `next` may be called; undefined when it may at once. */
  ready?(): Promise<void> | undefined;
}

/** Sends a whole answer, compressed if it is large and the client takes that. */
export async function sendBody(
  context: RequestContext,
  code: number,
  { headers, body }: { readonly headers: HeaderMap; readonly body: Uint8Array },
): Promise<void> {
  context.responseCode = code;
  if (body.length <= minCompressedBytes || !context.compresses('answers')) {
    context.exchange.respond(code, headers, body);
    return;
  }
  // Clients may take their time from here on.
  context.endWork();
  const response = startGzip(context, code, headers);
  response.write(body);
  await response.drained();
  response.end();
}

/** Sends an answer at the pace of the client, and others have their turn between its chunks. */
export async function sendChunks(
  context: RequestContext,
  code: number,
  { headers, chunks }: { readonly headers: HeaderMap; readonly chunks: ChunkSource },
): Promise<void> {
  await chunks.ready?.();
  const first = chunks.next();
  if (chunks.finished) return sendBody(context, code, { headers, body: first });
  context.responseCode = code;
  const { exchange } = context;
  // What is more than a chunk is past the least size too.
  const response = context.compresses('answers') ? startGzip(context, code, headers) : exchange.start(code, headers);
  const turns = new Turns();
  for (let chunk = first; ; chunk = chunks.next()) {
    if (!response.write(chunk)) await response.drained();
    if (exchange.closed || chunks.finished) break;
    await turns.next();
    await chunks.ready?.();
  }
  response.end();
}

function startGzip({ exchange }: RequestContext, code: number, headers: HeaderMap): ResponseStream {
  return new GzipStream(exchange, exchange.start(code, gzipHeaders(headers)));
}
