import { tags } from './major-types.ts';

/** The text of a byte string below a tag "expected later encoding" (RFC 8949 section 3.4.5.2). */
export function laterEncoded(bytes: Uint8Array, tag: number): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (tag === tags.base64Url) return buffer.toString('base64url');
  return buffer.toString(tag === tags.base64 ? 'base64' : 'hex');
}

export function isLaterEncoding(tag: number): boolean {
  return tag === tags.base64Url || tag === tags.base64 || tag === tags.base16;
}
