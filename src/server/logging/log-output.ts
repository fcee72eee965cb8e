import type { LineSink, WrittenLine } from './log-line.ts';

/** What a line is written to: a stream of the process, whose writes to files and pipes are done when they return. */
export interface LogStream {
  write(text: string): void;
}

export interface LogOutputOptions {
  readonly info: LogStream;
  readonly error: LogStream;
  /** Info lines wait until there is so much of them, or for so long; 0: they do not. */
  readonly infoBufferBytes: number;
  readonly flushMs: number;
}

/**
 * Writes lines in their order, those of one round of the event loop at once: a server that is asked to log every
 * request does not call the system for each. Errors do not wait.
 */
export class LogOutput implements LineSink {
  readonly #options: LogOutputOptions;
  readonly #info: WaitingLines;
  readonly #error: WaitingLines;
  #isDue = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LogOutputOptions) {
    this.#options = options;
    this.#error = new WaitingLines(options.error);
    this.#info = options.info === options.error ? this.#error : new WaitingLines(options.info);
  }

  write({ severity, text: line, isInfo }: Omit<WrittenLine, 'machineMs'>): void {
    const { infoBufferBytes, flushMs } = this.#options;
    unwritten.add(this);
    if (isInfo && infoBufferBytes > 0) {
      const bytes = Buffer.byteLength(line);
      if (this.#info.bytes > 0 && this.#info.bytes + bytes > infoBufferBytes) this.#info.flush();
      this.#info.add(line, bytes);
      if (bytes > infoBufferBytes) this.#info.flush();
      this.#timer ??= setTimeout(() => this.flush(), flushMs).unref();
      return;
    }
    const lines = isInfo ? this.#info : this.#error;
    lines.add(line, 0);
    if (severity === 'error') return lines.flush();
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#error.flush();
      if (infoBufferBytes === 0) this.flush();
    });
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#info.flush();
    this.#error.flush();
    unwritten.delete(this);
  }
}

/** Lines that have not reached their stream. */
class WaitingLines {
  bytes = 0;
  readonly #stream: LogStream;
  #lines: string[] = [];

  constructor(stream: LogStream) {
    this.#stream = stream;
  }

  add(line: string, bytes: number): void {
    this.#lines.push(line);
    this.bytes += bytes;
  }

  flush(): void {
    if (this.#lines.length === 0) return;
    const text = this.#lines.join('');
    this.#lines = [];
    this.bytes = 0;
    this.#stream.write(text);
  }
}

/** A process that ends still writes what it has to say. */
const unwritten = new Set<LogOutput>();
process.on('exit', () => {
  for (const output of unwritten) output.flush();
});
