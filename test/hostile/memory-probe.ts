/** Preloaded into a server with `--expose-gc`: tells its parent what it holds once all garbage is gone, or only that it has come to hear the question. */

export interface HeldMemory {
  /** Heap, buffers and what V8 knows to be outside. */
  readonly heldBytes: number;
}

/** V8 frees in a second round what finalizers of the first one let go. */
const rounds = 2;

function heldMemory(): HeldMemory {
  for (let round = 0; round < rounds; round += 1) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return { heldBytes: heapUsed + external };
}

process.on('message', (question) => process.send?.(question === 'held' ? heldMemory() : {}));
// Listening alone must not keep the server alive.
process.channel?.unref();
