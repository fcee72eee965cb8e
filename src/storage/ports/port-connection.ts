import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { currentSpan, type Span, type SpanOrigin } from '../../api/contracts/span.ts';
import { type KeyValue, StorageError } from '../contract.ts';
import { unpackEvents, unpackKeyValues } from './packed.ts';
import { errorOf, storageErrorOf } from './plain-error.ts';
import type { PortWatch } from './port-watch.ts';
import type { CallMessage, PlainResult, PortCall, PortReply, ReplyMessage, StoreConnection } from './protocol.ts';
import { RevisionCells } from './revision-cells.ts';
import { type NumberedBlock, type BlockSlice, SharedBlocks } from './shared-blocks.ts';

export interface PortResponse {
  readonly kvs: readonly KeyValue[];
  readonly result: PlainResult;
}

/** Calls that are answered; distributes over the union. */
type Call<T = PortCall> = T extends { readonly type: 'watch' | 'progress' | 'cancel' } ? never : WithoutId<T>;
type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

interface Waiting {
  readonly kvs: KeyValue[];
  readonly isWrite: boolean;
  readonly response: PromiseWithResolvers<PortResponse>;
}

/** The end of a store's port at a thread that uses the store: what was asked, and what runs there for this thread. */
export class PortConnection {
  /** May be written by another thread at any time. */
  readonly cells: RevisionCells;
  readonly #port: MessagePort;
  readonly #isCounted: boolean;
  readonly #waiting = new Map<number, Waiting>();
  readonly #watches = new Map<number, PortWatch>();
  /** Every block in which either thread may name a value. */
  readonly #memory = new Map<number, SharedArrayBuffer>();
  readonly #blocks: SharedBlocks;
  #lastId = 0;
  #calls: PortCall[] = [];
  #begun: NumberedBlock[] = [];
  /** Blocks of this thread in which the store expects more values. */
  #open: number[] = [];
  /** All changes up to this revision have been taken in. */
  #taken = 0;
  #isTaking = false;
  /** Why nothing can be asked any more. */
  #ended: StorageError | undefined;

  constructor({ port, owner, cells, isCounted }: StoreConnection) {
    this.#port = port;
    this.cells = new RevisionCells(cells);
    this.#isCounted = isCounted;
    this.#blocks = new SharedBlocks(owner, (begun) => {
      this.#memory.set(begun.block, begun.memory);
      this.#begun.push(begun);
    });
    port.on('message', (message: ReplyMessage) => this.#take(message));
    port.once('close', () => this.#lose());
  }

  get blocks(): number {
    return this.#memory.size;
  }

  /** Throws once nothing can be asked any more. */
  check(): void {
    if (this.#ended !== undefined) throw this.#ended;
  }

  /**
   * Takes in all changes up to the latest revision, and returns it. Undefined if only the store can tell: others write
   * to it as well, or a change is being taken in right now.
   */
  latest(): number | undefined {
    if (!this.#isCounted || this.#isTaking) return undefined;
    const { revision } = this.cells;
    if (revision > this.#taken) {
      this.#takeWaiting();
      this.#taken = revision;
    }
    return revision;
  }

  /** Takes in all that has been told to this thread. */
  takeIn(): void {
    if (this.latest() === undefined && !this.#isTaking) this.#takeWaiting();
  }

  /** Copies a value to where the store finds it. */
  place(value: Uint8Array): BlockSlice {
    const copy = this.#blocks.copy(value);
    return { block: this.#blocks.numberOf(copy) ?? 0, offset: copy.byteOffset, length: copy.length };
  }

  async call(call: Call): Promise<PortResponse> {
    this.check();
    const id = ++this.#lastId;
    const isWrite = call.type === 'put' || call.type === 'delete' || call.type === 'compact';
    const response = Promise.withResolvers<PortResponse>();
    this.#waiting.set(id, { kvs: [], isWrite, response });
    const trace = this.#isCounted ? undefined : currentSpan();
    this.#send(trace === undefined ? { ...call, id } : { ...call, id, trace: originOf(trace) });
    return response.promise;
  }

  /** `watchOf` gets the functions by which the watch asks for more. */
  watch(watchOf: (call: (type: 'progress' | 'cancel') => void) => PortWatch): PortWatch {
    const id = ++this.#lastId;
    const watch = watchOf((type) => {
      if (type === 'cancel') this.#watches.delete(id);
      this.#send({ type, id });
    });
    if (this.#ended === undefined) {
      this.#watches.set(id, watch);
      this.#send({ type: 'watch', id, request: watch.request });
    } else {
      const error = this.#ended;
      queueMicrotask(() => watch.failed(error));
    }
    return watch;
  }

  /** Ends the watches with the error, waits for what was asked, and leaves the store to others. */
  async close(error: StorageError): Promise<void> {
    this.#flush();
    this.#end(error);
    await Promise.allSettled(Array.from(this.#waiting.values(), ({ response }) => response.promise));
    this.#port.close();
  }

  #send(call: PortCall): void {
    if (this.#ended !== undefined) return;
    if (this.#calls.length === 0) process.nextTick(() => this.#flush());
    this.#calls.push(call);
  }

  #flush(): void {
    if (this.#calls.length === 0) return;
    const open = [...this.#open, ...this.#begun.map(({ block }) => block)];
    const current = this.#blocks.current;
    this.#port.postMessage({
      blocks: this.#begun,
      calls: this.#calls,
      completed: open.filter((block) => block !== current),
    } satisfies CallMessage);
    this.#begun = [];
    this.#calls = [];
    this.#open = open.filter((block) => block === current);
  }

  #takeWaiting(): void {
    for (;;) {
      const received: { readonly message: ReplyMessage } | undefined = receiveMessageOnPort(this.#port);
      if (received === undefined) return;
      this.#take(received.message);
    }
  }

  #take({ blocks, replies, forgotten }: ReplyMessage): void {
    this.#isTaking = true;
    try {
      for (const block of blocks) {
        this.#memory.set(block.block, block.memory);
        this.#blocks.learn(block);
      }
      for (const reply of replies) this.#receive(reply);
      for (const block of forgotten) this.#memory.delete(block);
    } finally {
      this.#isTaking = false;
    }
  }

  /** Nobody is to see here what a read that begins on another thread would not see yet. */
  #awaitCount(revision: number): void {
    if (this.#isCounted) this.cells.await(revision);
  }

  #receive(reply: PortReply): void {
    switch (reply.type) {
      case 'events': {
        const events = unpackEvents(reply.events, this.#memory);
        this.#awaitCount(events.at(-1)?.revision ?? 0);
        this.#watches.get(reply.id)?.events(events);
        return;
      }
      case 'progress':
        this.#watches.get(reply.id)?.progress(reply.revision);
        return;
      case 'moved':
        this.#watches.get(reply.id)?.moved(unpackKeyValues(reply.kvs, this.#memory));
        return;
      case 'failed': {
        const watch = this.#watches.get(reply.id);
        this.#watches.delete(reply.id);
        watch?.failed(storageErrorOf(reply.error));
        return;
      }
      case 'kvs': {
        const kvs = this.#waiting.get(reply.id)?.kvs;
        for (const kv of unpackKeyValues(reply.kvs, this.#memory)) kvs?.push(kv);
        return;
      }
      default: {
        const waiting = this.#waiting.get(reply.id);
        this.#waiting.delete(reply.id);
        if (reply.type === 'error') waiting?.response.reject(errorOf(reply.error));
        else waiting?.response.resolve({ kvs: waiting.kvs, result: reply.result });
      }
    }
  }

  /** The thread of the store has ended. */
  #lose(): void {
    const message = 'the thread of the store has ended';
    this.#end(new StorageError('unavailable', message));
    for (const { response, isWrite } of this.#waiting.values())
      response.reject(new StorageError(isWrite ? 'unknown' : 'unavailable', message));
    this.#waiting.clear();
  }

  #end(error: StorageError): void {
    this.#ended ??= error;
    for (const watch of this.#watches.values()) watch.failed(error);
    this.#watches.clear();
  }
}

/** Without the methods, which are not cloned. */
function originOf({ headers, auditId }: Span): SpanOrigin {
  return { headers, auditId };
}
