import { MessageChannel } from 'node:worker_threads';
import type { Storage } from '../contract.ts';
import type { SharedEngine, Sharing } from '../sharing.ts';
import { PortServer } from './port-server.ts';
import type { StoreConnection } from './protocol.ts';
import { RevisionCells } from './revision-cells.ts';
import { type NumberedBlock, SharedBlocks } from './shared-blocks.ts';
import { SharedWatches } from './shared-watches.ts';

/**
 * The ports of the threads that use a store, at the thread that has it open. The first one makes the engine share its
 * values and its latest revision; until then it is spared that. A store that others write to as well has no latest
 * revision that could be counted, but one watch for all threads that watch the same.
 */
export class StorePorts implements Sharing, Disposable {
  /** The store for this thread. */
  readonly storage: Storage;
  readonly #engine: SharedEngine | undefined;
  readonly #cells = new RevisionCells();
  readonly #servers = new Set<PortServer>();
  readonly #blocks = new SharedBlocks(0, (block) => this.#register(block));
  readonly #collected = new FinalizationRegistry<Collected>((collected) => this.#forget(collected));
  #owners = 0;
  #heldBytes = 0;
  #begunBytes = 0;

  /** `engine`: what `storage` is, if it alone writes to its store. Others have `SharedWatches`, or get them. */
  constructor(storage: Storage, engine?: SharedEngine) {
    this.storage = engine === undefined && !(storage instanceof SharedWatches) ? new SharedWatches(storage) : storage;
    this.#engine = engine;
  }

  /** How many threads are connected. */
  get size(): number {
    return this.#servers.size;
  }

  /** For one thread, which ends it by closing the port, or by ending itself. */
  connect(): StoreConnection {
    if (this.#owners === 0) this.#share();
    const owner = ++this.#owners;
    const { port1, port2 } = new MessageChannel();
    const server = new PortServer(port1, {
      storage: this.storage,
      cells: this.#cells,
      blocks: this.#blocks,
      owner,
      onBlock: (block) => this.#register(block),
      onEnd: () => this.#servers.delete(server),
    });
    this.#servers.add(server);
    return { port: port2, owner, cells: this.#cells.memory, isCounted: this.#engine !== undefined };
  }

  share(value: Uint8Array): Uint8Array {
    return this.#blocks.share(value);
  }

  copy(value: Uint8Array): Uint8Array {
    return this.#blocks.copy(value);
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  get begunBytes(): number {
    return this.#begunBytes;
  }

  #share(): void {
    this.#engine?.shareWith(this);
    // Values of events may live long, so others are not beside them: only an engine could move them.
    if (this.storage instanceof SharedWatches) this.storage.shareWith((values) => this.#blocks.copyTogether(values));
  }

  applied(revision: number): void {
    for (const server of this.#servers) server.flush();
    this.#cells.revision = revision;
  }

  compacted(revision: number): void {
    this.#cells.compacted = revision;
  }

  /** Ends the connections. */
  [Symbol.dispose](): void {
    for (const server of this.#servers) server.close();
  }

  #register({ block, memory }: NumberedBlock): void {
    const sizeBytes = memory.byteLength;
    this.#collected.register(memory, { block, sizeBytes });
    this.#heldBytes += sizeBytes;
    this.#begunBytes += sizeBytes;
  }

  #forget({ block, sizeBytes }: Collected): void {
    this.#heldBytes -= sizeBytes;
    for (const server of this.#servers) server.forget(block);
  }
}

/** A block that nobody uses any more. */
interface Collected {
  readonly block: number;
  readonly sizeBytes: number;
}
