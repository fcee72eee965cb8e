import type { LineSink, WrittenLine } from './log-line.ts';
import { type LogConnection, LogMemory } from './log-connection.ts';

/** Sends the lines of a thread to the log of its process: those of one round of the event loop together. */
export class LineSender implements LineSink {
  readonly memory: LogMemory;
  readonly #connection: LogConnection;
  #lines: WrittenLine[] = [];

  constructor(connection: LogConnection) {
    this.#connection = connection;
    this.memory = new LogMemory(connection.memory);
    process.on('exit', () => this.#flush());
  }

  announce(): void {
    if (this.#lines.length === 0) this.memory.announce(this.#connection.thread);
  }

  write(line: WrittenLine): void {
    const isFirst = this.#lines.push(line) === 1;
    if (isFirst) this.memory.tells(this.#connection.thread, line.machineMs);
    if (line.severity === 'error') this.#flush();
    else if (isFirst) setImmediate(() => this.#flush());
  }

  #flush(): void {
    if (this.#lines.length === 0) return;
    this.#connection.port.postMessage(this.#lines);
    this.#lines = [];
    // Not before they can be received.
    this.memory.sent(this.#connection.thread);
  }
}
