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
export async function bodyOf(response: UpstreamResponse, expected: Expected): Promise<Buffer> {
  const body = await wholeBody(response, expected);
  if (body.length > largeBytes) await new TimeSlice().next();
  return body;
}

async function wholeBody(response: UpstreamResponse, { maxBytes, request }: Expected): Promise<Buffer> {
  const isCompressed = response.header('content-encoding') === 'gzip';
  const whole = isCompressed || request.reason !== undefined ? undefined : response.whole();
  if (whole !== undefined && whole.length <= maxBytes) return whole;
  const { body } = response;
  const plain = isCompressed ? await decompressed(body) : body;
  const gathered = new GatheredBytes();
  request.whenLeft(() => plain.destroy());
  try {
    for await (const chunk of plain as AsyncIterable<Buffer>) {
      gathered.add(chunk);
      if (gathered.length > maxBytes) throw new Error('the response is too large');
    }
    const failure = request.reason ?? response.failure();
    if (failure !== undefined) throw failure;
  } catch (error) {
    request.leave();
    // Streams throw nothing else.
    throw incomplete(request.reason ?? response.failure() ?? (error as Error));
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
