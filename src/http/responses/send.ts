import { sliceOfRound, TimeSlice } from '../../api/scheduling/time-slice.ts';
import { GzipStream, gzipHeaders, minCompressedBytes } from '../transport/compression.ts';
import type { HeaderMap, ResponseStream } from '../transport/exchange.ts';
import type { RequestContext } from '../request/request-context.ts';

/** A response body generated while it is sent. A chunk has been consumed when the next one is requested. */
export interface ChunkSource {
  /** True once `next` has returned the last chunk. */
  readonly finished: boolean;
  next(): Uint8Array;
  /** Called when all chunks have been sent. */
  release?(): void;
}

/** Sends a complete body, compressed if it is large and the client accepts that. */
export async function sendBody(
  context: RequestContext,
  code: number,
  { headers, body }: { readonly headers: HeaderMap; readonly body: Uint8Array },
): Promise<void> {
  if (body.length <= minCompressedBytes || !context.compresses('responses')) {
    context.exchange.respond(code, headers, body);
    return;
  }
  // From here on the client sets the pace.
  context.endWork();
  const response = startGzip(context, code, headers);
  response.write(body);
  await response.drained();
  response.end();
}

/** Sends a body at the client's pace, yielding to other requests between chunks. */
export async function sendChunks(
  context: RequestContext,
  code: number,
  { headers, chunks }: { readonly headers: HeaderMap; readonly chunks: ChunkSource },
): Promise<void> {
  // Lists that are made in one round of the event loop share a slice: what waits for the next one keeps its seats.
  const ofRound = sliceOfRound();
  if (ofRound.isOver) await ofRound.next();
  const first = chunks.next();
  if (chunks.finished) return sendBody(context, code, { headers, body: first });
  const { exchange } = context;
  // A body of more than one chunk exceeds the compression threshold too.
  const response = context.compresses('responses') ? startGzip(context, code, headers) : exchange.start(code, headers);
  const timeSlice = new TimeSlice();
  for (let chunk = first; ; chunk = chunks.next()) {
    if (!response.write(chunk)) await response.drained();
    if (exchange.closed || chunks.finished) break;
    await timeSlice.next();
  }
  if (!exchange.closed) chunks.release?.();
  response.end();
}

function startGzip({ exchange }: RequestContext, code: number, headers: HeaderMap): ResponseStream {
  return new GzipStream(exchange, exchange.start(code, gzipHeaders(headers)));
}
