import type { MessagePort } from 'node:worker_threads';
import { inSpanFrom } from '../../api/contracts/span.ts';
import { TimeSlice } from '../../api/scheduling/time-slice.ts';
import type { KeyValue, Storage, StorageWatch, WatchRequest, WriteResult } from '../contract.ts';
import { buffersOf, packEvents, type Packed, packKeyValues } from './packed.ts';
import { plainError } from './plain-error.ts';
import type { CallMessage, PlainResult, PortCall, PortReply, ReplyMessage } from './protocol.ts';
import type { RevisionCells } from './revision-cells.ts';
import { type NumberedBlock, ownerOf, type BlockSlice, type SharedBlocks, valueAt } from './shared-blocks.ts';

export interface PortServerOptions {
  readonly storage: Storage;
  readonly cells: RevisionCells;
  /** The blocks of the thread of the store. */
  readonly blocks: SharedBlocks;
  /** The thread at the other end. */
  readonly owner: number;
  /** Called with each block that the other thread has begun. */
  readonly onBlock: (block: NumberedBlock) => void;
  readonly onEnd: () => void;
}

/** Long lists go over in parts, between which others take their turns. */
const kvsPerReply = 500;

/** Serves one thread: answers its calls, and runs its watches until it ends. */
export class PortServer {
  readonly #port: MessagePort;
  readonly #options: PortServerOptions;
  readonly #watches = new Map<number, StorageWatch>();
  /** Blocks in which the other thread still places values. */
  readonly #open = new Map<number, SharedArrayBuffer>();
  /** Blocks of others that the other thread knows. */
  readonly #known = new Set<number>();
  #blocks: NumberedBlock[] = [];
  #replies: PortReply[] = [];
  #buffers: ArrayBuffer[] = [];
  #forgotten: number[] = [];
  #ended = false;

  constructor(port: MessagePort, options: PortServerOptions) {
    this.#port = port;
    this.#options = options;
    port.on('message', (message: CallMessage) => this.#take(message));
    port.once('close', () => this.#end());
    // Whoever opened the store decides how long the process lives.
    port.unref();
  }

  /** Sends what has been said until now; otherwise it is sent at the end of this turn of the event loop. */
  flush(): void {
    if (this.#replies.length === 0 && this.#forgotten.length === 0) return;
    const message: ReplyMessage = { blocks: this.#blocks, replies: this.#replies, forgotten: this.#forgotten };
    const buffers = this.#buffers;
    this.#blocks = [];
    this.#replies = [];
    this.#buffers = [];
    this.#forgotten = [];
    if (!this.#ended) this.#port.postMessage(message, buffers);
  }

  close(): void {
    this.flush();
    this.#port.close();
  }

  /** No value of this thread is in the block any more. */
  forget(block: number): void {
    if (!this.#known.delete(block) && ownerOf(block) !== this.#options.owner) return;
    if (this.#isSilent) process.nextTick(() => this.flush());
    this.#forgotten.push(block);
  }

  get #isSilent(): boolean {
    return this.#replies.length === 0 && this.#forgotten.length === 0;
  }

  #take({ blocks, calls, completed }: CallMessage): void {
    for (const block of blocks) {
      this.#open.set(block.block, block.memory);
      this.#options.blocks.learn(block);
      this.#options.onBlock(block);
    }
    for (const call of calls) this.#serve(call);
    for (const block of completed) this.#open.delete(block);
  }

  #serve(call: PortCall): void {
    switch (call.type) {
      case 'watch':
        this.#watch(call.id, call.request);
        return;
      case 'progress':
        this.#watches.get(call.id)?.requestProgress();
        return;
      case 'cancel':
        this.#watches.get(call.id)?.cancel();
        this.#watches.delete(call.id);
        return;
      default:
        inSpanFrom(call.trace, () => this.response(call)).then(
          (result) => {
            this.#noteCompaction();
            this.#reply({ type: 'result', id: call.id, result });
          },
          (error: unknown) => this.#reply({ type: 'error', id: call.id, error: plainError(error) }),
        );
    }
  }

  async response(call: Exclude<PortCall, { readonly type: 'watch' | 'progress' | 'cancel' }>): Promise<PlainResult> {
    const { storage } = this.#options;
    switch (call.type) {
      case 'get': {
        const { kv, revision } = await storage.get(call.key, call.options);
        this.#send(call.id, kv === undefined ? [] : [kv]);
        return { revision };
      }
      case 'range': {
        const { kvs, ...result } = await storage.range(call.request);
        await this.#sendAll(call.id, kvs);
        return result;
      }
      case 'put':
        return this.#written(call.id, await storage.put({ ...call.request, value: valueAt(this.#open, call.place) }));
      case 'delete':
        return this.#written(call.id, await storage.delete(call.request));
      case 'currentRevision':
        return { revision: await storage.currentRevision(call.options) };
      case 'compact':
        await storage.compact(call.revision);
        return { revision: call.revision };
      case 'check':
        await storage.check();
        return { revision: 0 };
    }
  }

  #written(id: number, result: WriteResult): PlainResult {
    const { succeeded, revision } = result;
    if (!result.succeeded && result.current !== undefined) this.#send(id, [result.current]);
    return { succeeded, revision };
  }

  async #sendAll(id: number, kvs: readonly KeyValue[]): Promise<void> {
    const timeSlice = new TimeSlice();
    for (let at = 0; at < kvs.length; at += kvsPerReply) {
      if (timeSlice.isOver) await timeSlice.next();
      this.#send(id, kvs.slice(at, at + kvsPerReply));
    }
  }

  #send(id: number, kvs: readonly KeyValue[]): void {
    if (kvs.length > 0) this.#reply({ type: 'kvs', id, kvs: this.#packed(packKeyValues(kvs, this.#placeOf)) });
  }

  #watch(id: number, request: WatchRequest): void {
    const watch = this.#options.storage.watch(request, {
      events: (events) => this.#reply({ type: 'events', id, events: this.#packed(packEvents(events, this.#placeOf)) }),
      progress: (revision) => this.#reply({ type: 'progress', id, revision }),
      moved: (kvs) => this.#reply({ type: 'moved', id, kvs: this.#packed(packKeyValues(kvs, this.#placeOf)) }),
      failed: (error) => {
        this.#watches.delete(id);
        this.#noteCompaction();
        this.#reply({ type: 'failed', id, error: plainError(error) });
      },
    });
    this.#watches.set(id, watch);
    // The first progress says that the watch has arrived at the present.
    watch.requestProgress();
  }

  /** Other servers compact a shared store as well. */
  #noteCompaction(): void {
    this.#options.cells.compacted = this.#options.storage.compactedRevision;
  }

  readonly #placeOf = (value: Uint8Array): BlockSlice => {
    const { blocks, owner } = this.#options;
    const shared = blocks.share(value);
    const block = blocks.numberOf(shared) ?? 0;
    if (ownerOf(block) !== owner && !this.#known.has(block)) {
      this.#known.add(block);
      // Values that have a number are in shared memory.
      this.#blocks.push({ block, memory: shared.buffer as SharedArrayBuffer });
    }
    return { block, offset: shared.byteOffset, length: shared.length };
  };

  #packed(packed: Packed): Packed {
    for (const buffer of buffersOf(packed)) this.#buffers.push(buffer);
    return packed;
  }

  #reply(reply: PortReply): void {
    if (this.#ended) return;
    // After all promises that are settled now: writes of one group are answered in one message.
    if (this.#isSilent) process.nextTick(() => this.flush());
    this.#replies.push(reply);
  }

  #end(): void {
    this.#ended = true;
    for (const watch of this.#watches.values()) watch.cancel();
    this.#watches.clear();
    this.#open.clear();
    this.#options.onEnd();
  }
}
