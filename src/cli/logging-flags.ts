import { type IntegerProblem, uint64Problem } from '../api/go/go-integer.ts';
import { goQuote } from '../api/go/go-quote.ts';
import { parseQuantity, QuantityError, quantityValue } from '../api/values/quantity.ts';
import type { ServerConfig } from '../server/config.ts';
import { loggingDefaults, type LoggingConfig, type LogRouting } from '../server/logging/logging-config.ts';
import type { ModuleVerbosity } from '../server/logging/verbosity.ts';
import { type BuiltFlag, flag } from './flag.ts';
import { boolean, duration, FlagValueError, string } from './flag-types.ts';

/** Flags of the log. */
export const loggingFlags: readonly BuiltFlag[] = [
  flag('log-flush-frequency', {
    type: duration,
    help: 'how long lines may stay in the buffers of info lines',
    set: (flushMs, config) => logging(config, { flushMs }),
  }),
  ...formatFlags('json'),
  ...formatFlags('text'),
  flag('logging-format', {
    type: string,
    help: 'text or json',
    set: (format, config) => logging(config, { format }),
  }),
  flag('v', {
    type: (texts) => verbosityOf(texts.at(-1) ?? ''),
    help: 'verbosity of the log: 3 and higher has a line for every request, 4 the reasons of refusals, 6 outgoing calls',
    set: (verbosity, config) => logging(config, { verbosity }),
  }),
  flag('vmodule', {
    type: (texts) => texts.flatMap(moduleVerbosities),
    help: 'verbosity by source file, as httplog=3,call-*=6, with the text format only',
    set: (modules, config) => logging(config, { modules }),
  }),
];

function formatFlags(format: 'text' | 'json'): readonly BuiltFlag[] {
  const routing = ({ logging: before }: ServerConfig): LogRouting => before[format] ?? loggingDefaults[format];
  return [
    flag(`log-${format}-info-buffer-size`, {
      type: (texts) => bytesOf(texts.at(-1) ?? ''),
      help: `[Alpha] size of the buffer of info lines with --log-${format}-split-stream, such as 64Ki; 0: no buffer`,
      set: (infoBufferBytes, config) => logging(config, { [format]: { ...routing(config), infoBufferBytes } }),
    }),
    flag(`log-${format}-split-stream`, {
      type: boolean,
      help: `[Alpha] in ${format} format, write info lines to standard output, and errors to standard error`,
      set: (splitStream, config) => logging(config, { [format]: { ...routing(config), splitStream } }),
    }),
  ];
}

function logging({ logging: before }: ServerConfig, changes: Partial<LoggingConfig>): Partial<ServerConfig> {
  return { logging: { ...before, ...changes } };
}

function verbosityOf(text: string): number {
  const problem = verbosityProblem(text);
  if (problem !== undefined) throw new FlagValueError(parseError(text, problem));
  return Number(text);
}

/** It is a 32-bit integer there. */
const maxVerbosity = 2 ** 31 - 1;

function verbosityProblem(text: string): IntegerProblem | undefined {
  return uint64Problem(text) ?? (Number(text) > maxVerbosity ? 'value out of range' : undefined);
}

function parseError(text: string, problem: IntegerProblem): string {
  return `strconv.ParseUint: parsing ${goQuote(text)}: ${problem}`;
}

/** `pattern=N,pattern=N`; empty parts are left out. */
function moduleVerbosities(text: string): readonly ModuleVerbosity[] {
  const parts = text.split(',').filter((part) => part !== '');
  return parts.map((part) => {
    const [pattern = '', level = '', ...more] = part.split('=');
    if (pattern === '' || level === '' || more.length > 0) {
      throw new FlagValueError(`${goQuote(part)} does not have the pattern=N format`);
    }
    const problem = verbosityProblem(level);
    if (problem === undefined) return { pattern, verbosity: Number(level) };
    throw new FlagValueError(`parsing verbosity in ${goQuote(part)}: ${parseError(level, problem)}`);
  });
}

const maxBufferBytes = 2 ** 31;

function bytesOf(text: string): number {
  try {
    return Math.min(Number(quantityValue(parseQuantity(text))), maxBufferBytes);
  } catch (error) {
    if (error instanceof QuantityError) throw new FlagValueError(error.message, { cause: error });
    throw error;
  }
}
