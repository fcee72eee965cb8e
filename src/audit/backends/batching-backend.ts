import type { AuditEvent } from '../../api/contracts/audit.ts';
import type { Clock } from '../../api/time/clock.ts';
import { TokenBucket } from '../../api/scheduling/token-bucket.ts';
import type { BatchConfig } from '../audit-config.ts';
import type { AuditBackend } from './backend.ts';
import { bytesOf, HeldEvent } from './held-event.ts';
import type { EventFailure } from './failures.ts';

export interface BatchingContext {
  readonly clock: Clock;
  readonly failed: EventFailure;
}

/** The reference limits the number of events only: a webhook that does not answer must not fill the memory. */
const maxHeldBytes = 64 * 1024 * 1024;

/**
 * Collects events until there are enough of them, or the first has waited long enough. Callers do not wait for them to
 * be sent; if too many are waiting, further ones are dropped.
 */
export class BatchingBackend implements AuditBackend {
  readonly #backend: AuditBackend;
  readonly #config: BatchConfig;
  readonly #failed: EventFailure;
  readonly #bucket: TokenBucket | undefined;
  readonly #sending = new Set<Promise<unknown>>();
  /** Size of the objects in all events that are waiting or being sent. */
  #heldBytes = 0;
  #waiting: HeldEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #draining: Promise<void> | undefined;
  #isClosed = false;

  constructor(backend: AuditBackend, config: BatchConfig, { clock, failed }: BatchingContext) {
    this.#backend = backend;
    this.#config = config;
    this.#failed = failed;
    const { throttle, throttleQps: qps, throttleBurst: burst } = config;
    this.#bucket = throttle ? new TokenBucket({ clock, qps, burst }) : undefined;
  }

  process(events: readonly AuditEvent[]): boolean {
    const { maxSize, maxWaitMs } = this.#config;
    const dropped: AuditEvent[] = [];
    for (const event of events) {
      if (this.#hasRoom(event)) this.#hold(event);
      else dropped.push(event);
    }
    const reason = this.#isClosed ? 'audit backend shut down' : 'audit buffer queue blocked';
    if (dropped.length > 0) this.#failed('buffered', new Error(reason), dropped);
    if (this.#waiting.length >= maxSize) this.#drain();
    else if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#drain(), maxWaitMs).unref();
    return true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#waiting.length > 0 || this.#draining !== undefined) {
      this.#drain();
      await this.#draining;
    }
    await Promise.all(this.#sending);
    await this.#backend.close();
  }

  #hasRoom(event: AuditEvent): boolean {
    if (this.#isClosed || this.#waiting.length >= this.#config.bufferSize) return false;
    return this.#heldBytes === 0 || this.#heldBytes + bytesOf(event) <= maxHeldBytes;
  }

  #hold(event: AuditEvent): void {
    const held = new HeldEvent(event);
    this.#waiting.push(held);
    this.#heldBytes += held.sizeBytes;
  }

  /** Sends all that waits, one batch after the other as fast as is allowed. */
  #drain(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#draining ??= this.#sendAll().finally(() => (this.#draining = undefined));
  }

  async #sendAll(): Promise<void> {
    // Events of the same turn of the event loop go together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      if (this.#bucket !== undefined) await this.#bucket.take();
      const batch = this.#waiting.splice(0, this.#config.maxSize);
      const sizeBytes = batch.reduce((sum, held) => sum + held.sizeBytes, 0);
      const sent = this.#send(batch).finally(() => {
        this.#sending.delete(sent);
        this.#heldBytes -= sizeBytes;
      });
      this.#sending.add(sent);
    }
  }

  async #send(batch: readonly HeldEvent[]): Promise<boolean> {
    return this.#backend.process(await Promise.all(batch.map((held) => held.whole())));
  }
}
