/** By memory, as long as it lives in this thread. */
const weights = new WeakMap<SharedArrayBuffer, Uint8Array>();

/**
 * V8 collects garbage when much memory has been allocated, but does not count what is shared: it would stay long after
 * it has been let go. Ordinary memory of the same size and lifetime is counted; untouched, it takes up none.
 */
export function countHere(memory: SharedArrayBuffer): void {
  weights.set(memory, Buffer.allocUnsafeSlow(memory.byteLength));
}
