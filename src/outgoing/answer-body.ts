import type { Readable } from 'node:stream';
import { CallError } from './call-error.ts';
import type { Exchange } from './exchange.ts';
import { bodyWords, isResetError } from './call-words.ts';

/** The body of a response, decompressed. Throws a CallError for one that is incomplete or too large. */
export async function bodyOf(
  { header, body, failure }: Exchange,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<Buffer> {
  const plain = header('content-encoding') === 'gzip' ? await decompressed(body) : body;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of plain as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new Error('the response is too large');
      chunks.push(chunk);
    }
  } catch (error) {
    body.destroy();
    // Streams throw nothing else, and signals are aborted with errors.
    throw incomplete(signal.aborted ? (signal.reason as Error) : (failure() ?? (error as Error)));
  }
  return Buffer.concat(chunks);
}

/** Errors of both streams end the result. */
async function decompressed(body: Readable): Promise<Readable> {
  const [{ createGunzip }, { pipeline }] = await Promise.all([import('node:zlib'), import('node:stream')]);
  return pipeline(body, createGunzip(), () => undefined);
}

function incomplete(error: Error): CallError {
  const message = `unexpected error when reading response body. Please retry. Original error: ${bodyWords(error)}`;
  return new CallError(message, { isReset: isResetError(error), cause: error });
}
