import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { LineSink, WrittenLine } from './log-line.ts';
import { type LogConnection, LogMemory } from './log-connection.ts';

/** A thread that computes for longer does not hold up the lines of others. */
const maxHeldMs = 1_000;

/**
 * The lines of several threads in the order in which they were told. Each thread sends those of a round of its event
 * loop together, and says in shared memory since when it has some: what is older than that is written, and the rest
 * once the thread has sent its lines.
 */
export class OrderedLines implements LineSink {
  readonly #memory: LogMemory;
  readonly #output: LineSink & { flush(): void };
  /** By the machine's clock. */
  readonly #now: () => number;
  readonly #ports = new Map<number, MessagePort>();
  #held: WrittenLine[] = [];
  #isDue = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(memory: LogMemory, output: LineSink & { flush(): void }, now: () => number) {
    this.#memory = memory;
    this.#output = output;
    this.#now = now;
    process.on('exit', () => {
      this.#writeBefore(Number.POSITIVE_INFINITY);
      output.flush();
    });
  }

  connect(thread: number): LogConnection {
    this.#memory.sent(thread);
    const { port1, port2 } = new MessageChannel();
    port1.on('message', (lines: readonly WrittenLine[]) => {
      this.#held.push(...lines);
      this.#writeKnown();
    });
    port1.unref();
    this.#ports.set(thread, port1);
    return { port: port2, memory: this.#memory.shared, thread };
  }

  /** The thread has ended: it tells nothing more. */
  disconnect(thread: number): void {
    this.#memory.sent(thread);
    this.#writeKnown();
    this.#ports.get(thread)?.close();
    this.#ports.delete(thread);
  }

  write(line: WrittenLine): void {
    this.#held.push(line);
    if (line.severity === 'error') return this.#writeKnown();
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#writeKnown();
    });
  }

  /** What nobody can be about to tell an earlier line than. */
  #writeKnown(): void {
    this.#writeBefore(this.#memory.allSentBeforeMs);
  }

  #writeBefore(ms: number): void {
    this.#receive();
    const first = this.#held.findIndex(({ machineMs }) => machineMs >= ms);
    const known = first === -1 ? this.#held : this.#held.slice(0, first);
    this.#held = first === -1 ? [] : this.#held.slice(first);
    this.#hold();
    for (const line of known) this.#output.write(line);
  }

  #receive(): void {
    for (const port of this.#ports.values()) {
      for (let got = receiveMessageOnPort(port); got !== undefined; got = receiveMessageOnPort(port))
        this.#held.push(...(got.message as readonly WrittenLine[])); // what a `LineSender` has sent
    }
    this.#held.sort((a, b) => a.machineMs - b.machineMs);
  }

  /** The oldest line waits for so long at most. */
  #hold(): void {
    const [oldest] = this.#held;
    if (oldest === undefined) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      return;
    }
    const leftMs = oldest.machineMs + maxHeldMs - this.#now();
    this.#timer ??= setTimeout(() => this.#writeLate(), Math.max(1, Math.ceil(leftMs))).unref();
  }

  #writeLate(): void {
    this.#timer = undefined;
    this.#writeBefore(Math.max(this.#memory.allSentBeforeMs, this.#now() - maxHeldMs));
  }
}
