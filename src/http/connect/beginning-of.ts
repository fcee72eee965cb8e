import type { Readable } from 'node:stream';

/** The first bytes of a kubelet's error, as text; the rest is not read. */
export async function beginningOf(response: Readable, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let left = maxBytes;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, left));
    left -= chunk.length;
    if (left <= 0) break;
  }
  return Buffer.concat(chunks).toString();
}
