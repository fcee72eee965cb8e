import type { Clock } from '../../api/clock.ts';
import type { Log, LogLine, LogSite } from '../../api/log.ts';
import { jsonLine } from './json-format.ts';
import { LogOutput, type LogStream } from './log-output.ts';
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
  readonly #time: FineTime;
  readonly #output: LogOutput;
  readonly #format: (line: LogLine, nowMs: number) => string;
  readonly #isJson: boolean;
  readonly #least: number;

  constructor(config: LoggingConfig, clock: Clock, streams: LogStreams = process) {
    this.#time = new FineTime(clock);
    const { level, verbosity, modules, format, flushMs, text, json } = { ...loggingDefaults, ...config };
    this.verbosity = new Verbosity(level === 'info' ? verbosity : -1, level === 'info' ? modules : []);
    this.#least = severities[level];
    this.#isJson = format === 'json';
    this.#format = this.#isJson ? jsonLine : textLine;
    const { splitStream, infoBufferBytes } = this.#isJson ? json : text;
    const { stdout, stderr } = streams;
    this.#output = splitStream
      ? new LogOutput({ info: stdout, error: stderr, infoBufferBytes, flushMs })
      : new LogOutput({ info: stderr, error: stderr, infoBufferBytes: 0, flushMs });
  }

  enabled(verbosity: number, site: LogSite): boolean {
    return this.verbosity.enabled(verbosity, site);
  }

  write(line: LogLine): void {
    const { severity } = line;
    if (ranks[severity] < this.#least) return;
    // As there, warnings are info in JSON, and go with the errors as text.
    const isInfo = severity === 'info' || (this.#isJson && severity === 'warning');
    this.#output.write(severity, this.#format(line, this.#time.nowMs()), isInfo);
  }
}

const toleratedMs = 2;

/** The time with a fraction of the millisecond, which the clock has not; it follows the clock when that is set. */
class FineTime {
  readonly #clock: Clock;
  /** Of `performance.now()`, in milliseconds since the epoch. */
  #originMs = performance.timeOrigin;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  nowMs(): number {
    const wallMs = this.#clock.now();
    const ms = this.#originMs + performance.now();
    if (Math.abs(ms - wallMs) < toleratedMs) return ms;
    this.#originMs += wallMs - ms;
    return wallMs;
  }
}
