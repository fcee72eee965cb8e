import { longestTimerMs } from '../../api/time/deadline.ts';
import type { Readable } from 'node:stream';
import { GatheredBytes } from '../../api/bytes/gathered-bytes.ts';
import { badRequest, requestEntityTooLarge, LateRequestError } from '../../api/errors/status-errors.ts';
import type { BodyShare } from './body-budget.ts';
import { droppedBody } from './transport-limits.ts';

/** Limits of reading a body. */
export interface BodyLimits {
  readonly limitBytes: number;
  /** Milliseconds until the request's deadline. */
  readonly remainingMs: number;
  readonly share: Pick<BodyShare, 'take'>;
  /** Reading stops with a `LargeBody` beyond so many bytes. */
  readonly stopBytes?: number | undefined;
  /** What has been read before. */
  readonly begun?: Buffer | undefined;
}

/** A body is larger than its reader wants to read: there may be more of it. */
export class LargeBody extends Error {
  override readonly name = 'LargeBody';
  readonly code = 'large-body';
  readonly begun: Buffer;

  constructor(begun: Buffer) {
    super('the body is larger than expected');
    this.begun = begun;
  }
}

/** Refuses a body whose Content-Length is too large. */
export function checkDeclared(declaredBytes: number, { limitBytes }: BodyLimits): void {
  if (declaredBytes > limitBytes) throw tooLarge(limitBytes);
}

/** Reads a request body. Rejects with a 413, with a 429 when there is no room for it, or with a 504 at the deadline. */
export function readAll(
  stream: Readable,
  { limitBytes, remainingMs, share, stopBytes = Infinity, begun = Buffer.alloc(0) }: BodyLimits,
): Promise<Buffer> {
  // Node ends the stream of an HTTP/2 request without a body by itself, perhaps before anybody listens.
  if (stream.readableEnded) return Promise.resolve(begun);
  if (stream.destroyed) return Promise.reject(incomplete());
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const body = new GatheredBytes();
  if (begun.length > 0) body.add(begun);
  const fail = (error: unknown): void => {
    clearTimeout(timer);
    reject(error);
  };
  const stop = (): void => {
    stream.pause();
    stream.off('data', onData);
    stream.off('end', onEnd);
    fail(new LargeBody(body.whole()));
  };
  const refuse = (error: unknown): void => {
    // The rest of the body is discarded once the response is sent.
    stream.off('data', onData);
    stream.resume();
    fail(error);
  };
  const onData = (chunk: Buffer): void => {
    if (body.length + chunk.length > limitBytes) {
      refuse(tooLarge(limitBytes));
      return;
    }
    body.add(chunk);
    if (body.length > stopBytes) {
      stop();
      return;
    }
    const room = share.take(chunk.length);
    if (room === undefined) return;
    stream.pause();
    room.then(() => stream.resume(), refuse);
  };
  const onEnd = (): void => {
    clearTimeout(timer);
    resolve(body.whole());
  };
  const timer = setTimeout(() => refuse(outOfTime()), timerMs(remainingMs));
  stream.on('data', onData);
  stream.once('end', onEnd);
  stream.once('error', fail);
  stream.once('close', () => {
    if (!stream.readableEnded) fail(incomplete());
  });
  stream.resume();
  return promise;
}

/**
 * Reads and discards the rest of a body for a while: a client that is still sending does not read the response. Then
 * calls `giveUp`.
 */
export function dropRest(stream: Readable, giveUp: () => void): void {
  if (stream.readableEnded || stream.destroyed) return;
  let leftBytes = droppedBody.bytes;
  const timer = setTimeout(giveUp, droppedBody.ms);
  stream.on('data', (chunk: Buffer) => {
    leftBytes -= chunk.length;
    if (leftBytes < 0) giveUp();
  });
  for (const end of ['end', 'close', 'error']) stream.once(end, () => clearTimeout(timer));
  stream.resume();
}

/** Rounded to whole seconds: node shares timers of equal duration. */
function timerMs(remainingMs: number): number {
  return Math.min(Math.max(1, Math.ceil(remainingMs / 1000)) * 1000, longestTimerMs);
}

function incomplete(): Error {
  return badRequest('the request body is incomplete');
}

function outOfTime(): Error {
  return new LateRequestError();
}

function tooLarge(limitBytes: number): Error {
  return requestEntityTooLarge(`limit is ${limitBytes}`);
}
