/** From here on it pays to name memory that both threads share, rather than to copy what is in it. */
const sharedFromBytes = 16 * 1024;

/** Bytes as they go to another thread. */
export interface PortableBytes {
  readonly bytes: Uint8Array | string;
  /** Memory that goes with them. */
  readonly transferred: readonly ArrayBuffer[];
}

/** A message would take along all the memory that a view is of: it gets a copy, which is not copied again. */
export function portable(bytes: Uint8Array | string): PortableBytes {
  if (typeof bytes === 'string') return { bytes, transferred: [] };
  if (bytes.buffer instanceof SharedArrayBuffer && bytes.length >= sharedFromBytes) return { bytes, transferred: [] };
  const copy = new Uint8Array(bytes);
  return { bytes: copy, transferred: [copy.buffer] };
}
