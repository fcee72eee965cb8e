import { huffmanLengths } from './hpack-tables.ts';
import { Http2Error } from './http2-error.ts';

const endOfString = 256;
const maxPaddingBits = 7;

/**
 * The tree of codes: at `2 * node + bit` is the next node, or the complement of a symbol. Zero: not there (nothing
 * leads to the root).
 */
const tree = treeOf(huffmanLengths);

function treeOf(lengths: readonly number[]): Int16Array {
  const next = new Int16Array(2 * lengths.length);
  let nodes = 1;
  let code = 0;
  let length = 0;
  const symbols = [...lengths.keys()].toSorted((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b);
  for (const symbol of symbols) {
    const wanted = lengths[symbol] ?? 0;
    code *= 2 ** (wanted - length);
    length = wanted;
    let node = 0;
    for (let bit = length - 1; bit > 0; bit--) {
      const at = 2 * node + (Math.floor(code / 2 ** bit) % 2);
      next[at] ||= nodes++;
      node = next[at] ?? 0;
    }
    next[2 * node + (code % 2)] = ~symbol;
    code += 1;
  }
  return next;
}

/** Throws an Http2Error for what is not the code of a string. */
export function huffmanDecoded(bytes: Uint8Array): string {
  const symbols: number[] = [];
  let node = 0;
  let depth = 0;
  let isPadding = true;
  for (const byte of bytes) {
    for (let shift = 7; shift >= 0; shift--) {
      const bit = (byte >> shift) & 1;
      const next = tree[2 * node + bit] ?? 0;
      depth += 1;
      isPadding &&= bit === 1;
      if (next >= 0) {
        node = next;
        continue;
      }
      if (~next === endOfString) throw new Http2Error('compression', 'a string contains its end');
      symbols.push(~next);
      node = 0;
      depth = 0;
      isPadding = true;
    }
  }
  if (depth > maxPaddingBits || !isPadding) throw new Http2Error('compression', 'a string is not padded with its end');
  return Buffer.from(symbols).toString('latin1');
}
