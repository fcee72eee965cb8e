import { isUtf8 } from 'node:buffer';

/** U+FFFD. */
const replacement = [0xef, 0xbf, 0xbd];

/** Decodes UTF-8; each invalid byte becomes one U+FFFD, as in Go. */
export function decodeUtf8(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer) ? buffer.toString('utf8') : withReplacements(buffer).toString('utf8');
}

function withReplacements(bytes: Buffer): Buffer {
  const out = Buffer.allocUnsafe(bytes.length * replacement.length);
  let size = 0;
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    if (length === 0) {
      for (const byte of replacement) out[size++] = byte;
      at += 1;
      continue;
    }
    for (const end = at + length; at < end; at += 1) out[size++] = bytes[at] as number; // within bounds
  }
  return out.subarray(0, size);
}

/** Length of the UTF-8 sequence at `at`; 0 when invalid (RFC 3629, section 4). */
function sequenceLength(bytes: Buffer, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const second = bytes[at + 1] ?? 0;
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let i = 2; i < length; i++) if (!isContinuation(bytes[at + i])) return 0;
  return length;
}

/** Whether a byte of UTF-8 is in the middle of a character. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
