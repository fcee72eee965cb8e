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
  readonly #ports = new Map<number, MessagePort>();
  #held: WrittenLine[] = [];
  #isDue = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(memory: LogMemory, output: LineSink & { flush(): void }) {
    this.#memory = memory;
    this.#output = output;
    process.on('exit', () => {
      this.#writeAll();
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
    const beforeMs = this.#memory.allSentBeforeMs;
    this.#receive();
    const first = this.#held.findIndex(({ machineMs }) => machineMs >= beforeMs);
    const known = first === -1 ? this.#held : this.#held.slice(0, first);
    this.#held = first === -1 ? [] : this.#held.slice(first);
    this.#hold();
    for (const line of known) this.#output.write(line);
  }

  #writeAll(): void {
    this.#receive();
    const all = this.#held;
    this.#held = [];
    this.#hold();
    for (const line of all) this.#output.write(line);
  }

  #receive(): void {
    for (const port of this.#ports.values()) {
      for (let got = receiveMessageOnPort(port); got !== undefined; got = receiveMessageOnPort(port))
        this.#held.push(...(got.message as readonly WrittenLine[])); // what a `LineSender` has sent
    }
    this.#held.sort((a, b) => a.machineMs - b.machineMs);
  }

  #hold(): void {
    if (this.#held.length > 0) {
      this.#timer ??= setTimeout(() => this.#writeAll(), maxHeldMs).unref();
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
