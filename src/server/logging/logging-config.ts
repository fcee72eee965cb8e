import { ConfigError } from '../../api/errors/config-error.ts';
import { formatDuration } from '../../api/time/duration.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import type { ModuleVerbosity } from './verbosity.ts';

/** What is not given has the default of kube-apiserver. */
export interface LoggingConfig {
  /** The least severe lines that are written. */
  readonly level: 'silent' | 'error' | 'warn' | 'info';
  /** The verbosity of info lines. */
  readonly verbosity?: number;
  /** Verbosity by source file. */
  readonly modules?: readonly ModuleVerbosity[];
  /** `text` or `json`. */
  readonly format?: string;
  /** How long buffered lines wait. */
  readonly flushMs?: number;
  readonly text?: LogRouting;
  readonly json?: LogRouting;
}

/** Where the lines of a format go. */
export interface LogRouting {
  /** Info to standard output, the rest to standard error; otherwise all to the latter. */
  readonly splitStream: boolean;
  /** The size of the buffer of info lines, if the streams are split; 0: they are not buffered. */
  readonly infoBufferBytes: number;
}

const notSplit: LogRouting = { splitStream: false, infoBufferBytes: 0 };

export const loggingDefaults: Required<LoggingConfig> = {
  level: 'info',
  verbosity: 0,
  modules: [],
  format: 'text',
  flushMs: 5_000,
  text: notSplit,
  json: notSplit,
};

/** Throws a ConfigError in the reference's words. */
export function checkLogging(config: LoggingConfig, gates: ReadonlyMap<string, boolean>): void {
  const problems = [...problemsOf({ ...loggingDefaults, ...config }, gates)];
  if (problems.length === 0) return;
  throw new ConfigError(problems.length === 1 ? problems.join('') : `[${problems.join(', ')}]`);
}

function* problemsOf(
  { flushMs, format, modules, text, json }: Required<LoggingConfig>,
  gates: ReadonlyMap<string, boolean>,
): Iterable<string> {
  if (flushMs <= 0) {
    const shown = goQuote(formatDuration(BigInt(Math.round(flushMs * 1e6))));
    yield `flushFrequency: Invalid value: ${shown}: Must be greater than zero`;
  }
  if (format !== 'text' && format !== 'json') {
    yield `format: Invalid value: ${goQuote(format)}: Unsupported log format`;
  }
  if (format === 'json' && gates.get('LoggingBetaOptions') !== true) {
    yield 'format: Forbidden: Log format json is disabled, see LoggingBetaOptions feature';
  }
  if (modules.length > 0 && format !== '' && format !== 'text') {
    yield 'vmodule: Forbidden: Only supported for text log format';
  }
  if (gates.get('LoggingAlphaOptions') === true) return;
  for (const [name, { splitStream, infoBufferBytes }] of Object.entries({ text, json })) {
    const forbidden = 'Forbidden: Feature LoggingAlphaOptions is disabled';
    if (splitStream) yield `options.${name}.splitStream: ${forbidden}`;
    if (infoBufferBytes !== 0) yield `options.${name}.infoBufferSize: ${forbidden}`;
  }
}
