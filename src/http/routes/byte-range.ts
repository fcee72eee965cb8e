import { respondText } from '../responses/respond.ts';
import type { RequestContext } from '../request/request-context.ts';

/** `start <= byte < end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * One range of a Range header (RFC 9110, section 14): `bytes=0-99`, `bytes=100-` or `bytes=-100`. Undefined: the whole
 * file, also for several ranges, which a server may ignore. Like the reference, it refuses what is no range.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'beyond' | 'invalid' | undefined {
  if (header === undefined || /^bytes=\s*$|,/.test(header)) return undefined;
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/.exec(header) ?? [];
  if (first === '' && last === '') return 'invalid';
  if (first === '') {
    return size === 0 || Number(last) === 0 ? 'beyond' : { start: Math.max(0, size - Number(last)), end: size };
  }
  const start = Number(first);
  if (start >= size) return 'beyond';
  if (last !== '' && Number(last) < start) return 'invalid';
  return { start, end: last === '' ? size : Math.min(Number(last) + 1, size) };
}

/** The response to a range that a document of this size does not have. */
export function refuseRange(context: RequestContext, refused: 'beyond' | 'invalid', size: number): void {
  if (refused === 'invalid') return respondText(context, 416, 'invalid range\n');
  respondText(context, 416, 'invalid range: failed to overlap\n', { headers: { 'content-range': `bytes */${size}` } });
}
