import type { Clock } from '../../api/time/clock.ts';
import type { Log, LogLine, LogSite } from '../../api/contracts/log.ts';
import { maxSeatThreads } from '../../flowcontrol/shared-seats.ts';
import { jsonLine } from './json-format.ts';
import { LineSender } from './line-sender.ts';
import { type LogConnection, LogMemory } from './log-connection.ts';
import type { LineSink } from './log-line.ts';
import { LogOutput, type LogStream } from './log-output.ts';
import { LogTime } from './log-time.ts';
import { OrderedLines } from './ordered-lines.ts';
import { loggingDefaults, type LoggingConfig } from './logging-config.ts';
import { textLine } from './text-format.ts';
import { Verbosity } from './verbosity.ts';

export interface LogStreams {
  readonly stdout: LogStream;
  readonly stderr: LogStream;
}

const severities = { silent: 3, error: 2, warn: 1, info: 0 } as const;
const ranks = { error: 2, warning: 1, info: 0 } as const;

/** The log of a server, in klog's format or in JSON, to the streams of the process. */
export class ServerLog implements Log {
  readonly verbosity: Verbosity;
  readonly #clock: Clock;
  #time: LogTime;
  readonly #output: LogOutput | LineSender;
  readonly #format: (line: LogLine, nowMs: number) => string;
  readonly #isJson: boolean;
  readonly #least: number;
  /** With those of other threads, once there are some. */
  #ordered: OrderedLines | undefined;

  /** `to`: the log of the process, for another thread. */
  constructor(config: LoggingConfig, clock: Clock, to: LogStreams | LogConnection = process) {
    this.#clock = clock;
    const all = { ...loggingDefaults, ...config };
    const { level, verbosity, modules, format } = all;
    this.verbosity = new Verbosity(level === 'info' ? verbosity : -1, level === 'info' ? modules : []);
    this.#least = severities[level];
    this.#isJson = format === 'json';
    this.#format = this.#isJson ? jsonLine : textLine;
    if ('port' in to) {
      this.#output = new LineSender(to);
      this.#time = new LogTime(clock, this.#output.memory.shift);
    } else {
      this.#output = outputOf(all, to);
      this.#time = new LogTime(clock);
    }
  }

  enabled(verbosity: number, site: LogSite): boolean {
    return this.verbosity.enabled(verbosity, site);
  }

  write(line: LogLine): void {
    const { severity } = line;
    if (ranks[severity] < this.#least) return;
    const sink: LineSink = this.#ordered ?? this.#output;
    sink.announce?.();
    const machineMs = this.#time.machineMs();
    const text = this.#format(line, this.#time.epochMs(machineMs));
    // As there, warnings are info in JSON, and go with the errors as text.
    const isInfo = severity === 'info' || (this.#isJson && severity === 'warning');
    sink.write({ severity, text, isInfo, machineMs });
  }

  /** For a thread, whose lines are written here in order of time with the others. */
  connect(thread: number): LogConnection {
    return (this.#ordered ??= this.#beginOrder()).connect(thread);
  }

  /** The thread has ended. */
  disconnect(thread: number): void {
    this.#ordered?.disconnect(thread);
  }

  #beginOrder(): OrderedLines {
    if (this.#output instanceof LineSender) throw new Error('lines of threads are written by the first one');
    const memory = LogMemory.make(maxSeatThreads, this.#time.shiftMs);
    this.#time = new LogTime(this.#clock, memory.shift);
    return new OrderedLines(memory, this.#output, () => this.#time.machineMs());
  }
}

function outputOf({ format, flushMs, text, json }: Required<LoggingConfig>, streams: LogStreams): LogOutput {
  const { splitStream, infoBufferBytes } = format === 'json' ? json : text;
  const { stdout, stderr } = streams;
  return splitStream
    ? new LogOutput({ info: stdout, error: stderr, infoBufferBytes, flushMs })
    : new LogOutput({ info: stderr, error: stderr, infoBufferBytes: 0, flushMs });
}
