import { withoutEnd } from '../../api/text/text-edges.ts';

/** One block of a PEM text. Texts are decoded as latin1, as blocks may be surrounded by any bytes. */
export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Buffer;
}

interface Found {
  readonly block: PemBlock;
  /** Offset after the block. */
  readonly end: number;
}

const beginMark = '-----BEGIN ';
const endMark = '\n-----END ';
const dashes = '-----';

/** The PEM contents of a text. */
export interface PemText {
  readonly blocks: readonly PemBlock[];
  /** What follows the last block. */
  readonly rest: string;
}

/** All blocks (RFC 7468); text in between and malformed blocks are skipped. */
export function pemBlocks(data: string | Buffer): readonly PemBlock[] {
  return readPem(data).blocks;
}

export function readPem(data: string | Buffer): PemText {
  const text = Buffer.isBuffer(data) ? data.toString('latin1') : Buffer.from(data).toString('latin1');
  const blocks: PemBlock[] = [];
  let start = 0;
  for (;;) {
    const rest = text.slice(start);
    const found = nextBlock(rest);
    if (found === undefined) return { blocks, rest };
    blocks.push(found.block);
    start += found.end;
  }
}

/** The first well-formed block of `text`. */
function nextBlock(text: string): Found | undefined {
  let from = 0;
  for (;;) {
    const end = text.indexOf(endMark, from);
    if (end < 0) return undefined;
    // Continues the search, rather than starting over for each end.
    const begin = from + text.slice(from, end).lastIndexOf(beginMark);
    const startsLine = begin === from || text[begin - 1] === '\n';
    const found = begin >= from && startsLine ? readBlock(text, begin + beginMark.length, end) : undefined;
    if (found === 'end of text') return undefined;
    if (found !== undefined) return found;
    from = end + endMark.length;
  }
}

interface Line {
  readonly content: string;
  readonly next: number;
}

function lineAt(text: string, start: number): Line {
  const newline = text.indexOf('\n', start);
  if (newline < 0) return { content: withoutEnd(text.slice(start), ' \t'), next: text.length };
  const line = text.slice(start, newline).replace(/\r$/, '');
  return { content: withoutEnd(line, ' \t'), next: newline + 1 };
}

/** The block whose type is at `start` and whose end line is at `end`. */
function readBlock(text: string, start: number, end: number): Found | 'end of text' | undefined {
  const first = lineAt(text, start);
  if (!first.content.endsWith(dashes)) return undefined;
  const type = first.content.slice(0, -dashes.length);
  let position = first.next;
  let hasHeaders = false;
  for (;;) {
    if (position >= text.length) return 'end of text';
    const line = lineAt(text, position);
    if (!line.content.includes(':')) break;
    hasHeaders = true;
    position = line.next;
  }
  const trailer = end + endMark.length;
  // Go stops looking for blocks when the headers run past the end.
  if (hasHeaders && end < position) return trailer < position ? 'end of text' : undefined;
  if (!text.startsWith(type + dashes, trailer)) return undefined;
  const last = lineAt(text, trailer + type.length + dashes.length);
  if (last.content !== '') return undefined;
  const bytes = end > position ? base64Bytes(text.slice(position, end)) : Buffer.alloc(0);
  return bytes === undefined ? undefined : { block: { type, hasHeaders, bytes }, end: last.next };
}

function base64Bytes(text: string): Buffer | undefined {
  const packed = text.replace(/[ \t\r\n]+/g, '');
  const padding = packed.endsWith('==') ? 2 : Number(packed.endsWith('='));
  // Of megabytes, a pattern of single characters is matched many times as fast as one of groups of four.
  if (packed.length % 4 !== 0 || /[^A-Za-z0-9+/]/.test(packed.slice(0, packed.length - padding))) return undefined;
  return Buffer.from(packed, 'base64');
}

/** Encodes one block with 64 characters per line (RFC 7468). */
export function pemOf(type: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${type}-----\n${lines.join('\n')}\n-----END ${type}-----\n`;
}
