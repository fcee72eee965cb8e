import type { Readable } from 'node:stream';
import { GatheredBytes } from '../api/bytes/gathered-bytes.ts';
import { TimeSlice } from '../api/scheduling/time-slice.ts';
import { CallError } from './call-error.ts';
import { bodyWords, isResetError } from './call-words.ts';
import type { OutgoingRequest } from './outgoing-request.ts';
import type { UpstreamResponse } from './upstream-request.ts';

/** What is made of more bytes takes milliseconds. */
const largeBytes = 64 * 1024;
/** Each piece of what is decompressed takes a round of the event loop or two. */
const inflatedBytes = 64 * 1024;

interface Expected {
  readonly maxBytes: number;
  readonly request: OutgoingRequest;
}

/**
 * The body of a response, decompressed. Of large ones, which may arrive together, each is given in a time slice of its
 * own. Throws a CallError for one that is incomplete or too large.
 */
export async function bodyOf(answer: UpstreamResponse, expected: Expected): Promise<Buffer> {
  const body = await wholeBody(answer, expected);
  if (body.length > largeBytes) await new TimeSlice().next();
  return body;
}

async function wholeBody(answer: UpstreamResponse, { maxBytes, request }: Expected): Promise<Buffer> {
  const isCompressed = answer.header('content-encoding') === 'gzip';
  const whole = isCompressed || request.reason !== undefined ? undefined : answer.whole();
  if (whole !== undefined && whole.length <= maxBytes) return whole;
  const { body } = answer;
  const plain = isCompressed ? await decompressed(body) : body;
  const gathered = new GatheredBytes();
  request.whenLeft(() => plain.destroy());
  try {
    for await (const chunk of plain as AsyncIterable<Buffer>) {
      gathered.add(chunk);
      if (gathered.length > maxBytes) throw new Error('the response is too large');
    }
    const failure = request.reason ?? answer.failure();
    if (failure !== undefined) throw failure;
  } catch (error) {
    request.leave();
    // Streams throw nothing else.
    throw incomplete(request.reason ?? answer.failure() ?? (error as Error));
  }
  return gathered.whole();
}

/** Errors of both streams end the result. */
async function decompressed(body: Readable): Promise<Readable> {
  const [{ createGunzip }, { pipeline }] = await Promise.all([import('node:zlib'), import('node:stream')]);
  return pipeline(body, createGunzip({ chunkSize: inflatedBytes }), () => undefined);
}

function incomplete(error: Error): CallError {
  const message = `unexpected error when reading response body. Please retry. Original error: ${bodyWords(error)}`;
  return new CallError(message, { isReset: isResetError(error), cause: error });
}
