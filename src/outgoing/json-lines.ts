import type { Readable } from 'node:stream';
import type { JsonValue } from '../api/json/json.ts';
import { parseDeepJson } from '../codec/json.ts';
import { CallError } from './call-error.ts';

const lineFeed = 0x0a;

/** The values of a stream, one in each line, such as the events of a watch. Throws a CallError for a longer line. */
export async function* jsonLines(body: Readable, maxLineBytes: number): AsyncGenerator<JsonValue> {
  let pieces: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      const line = Buffer.concat([...pieces, chunk.subarray(start, end)]);
      [pieces, size, start] = [[], 0, end + 1];
      if (line.length > 0) yield parseDeepJson(line).value;
    }
    const rest = chunk.subarray(start);
    size += rest.length;
    if (size > maxLineBytes) throw new CallError('an event is too large');
    if (rest.length > 0) pieces.push(rest);
  }
}
