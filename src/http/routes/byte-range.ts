/** `start <= byte < end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * One range of a Range header (RFC 9110, section 14): `bytes=0-99`, `bytes=100-` or `bytes=-100`. Undefined: the whole
 * file, also for several ranges or another unit, which a server may ignore.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'beyond' | undefined {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    return size === 0 || Number(last) === 0 ? 'beyond' : { start: Math.max(0, size - Number(last)), end: size };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'beyond' : { start, end: last === '' ? size : Math.min(Number(last) + 1, size) };
}
