/**
 * Preloaded into a server with `--expose-gc`: reports to its parent the memory in use after garbage collection, or
 * merely that it is responsive.
 */

export interface HeldMemory {
  /** Heap, buffers and other external memory known to V8. */
  readonly heldBytes: number;
}

/** A second round frees what finalizers of the first one release. */
const rounds = 2;

function heldMemory(): HeldMemory {
  for (let round = 0; round < rounds; round += 1) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return { heldBytes: heapUsed + external };
}

process.on('message', (question) => process.send?.(question === 'held' ? heldMemory() : {}));
// The listener must not keep the server alive.
process.channel?.unref();
