/** By memory, as long as it lives in this thread. */
const weights = new WeakMap<SharedArrayBuffer, ArrayBuffer>();

/**
 * V8 collects garbage when much memory has been allocated, but does not count what is shared: it would stay long after
 * it has been let go. Ordinary memory of the same size and lifetime is counted. It takes up none: V8 maps memory that
 * may grow by itself, so nobody touches its pages; those that malloc returns may have been used before.
 */
export function countHere(memory: SharedArrayBuffer): void {
  const { byteLength } = memory;
  weights.set(memory, new ArrayBuffer(byteLength, { maxByteLength: byteLength }));
}
