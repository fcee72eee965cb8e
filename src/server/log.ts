import type { Logger } from 'pino';
import type { LoggingConfig } from './config.ts';

/** The logging interface of the server. */
export type Log = Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>;

/** Logs JSON lines to standard error. The library is imported with the first line: a healthy start writes none. */
export function createLog({ level }: LoggingConfig): Log {
  let loaded: Promise<Logger> | undefined;
  const write = (method: keyof Log) => (details: object, message?: string) => {
    // Bundled CommonJS libraries only have a default export.
    loaded ??= import('pino').then(({ default: pino }) =>
      pino({ level, serializers: { error: pino.stdSerializers.err } }, process.stderr),
    );
    // The only place left to report a log that cannot be loaded.
    loaded.then(
      (logger) => logger[method](details, message),
      (error: unknown) => process.stderr.write(`binnacle: cannot load the logger: ${String(error)}\n`),
    );
  };
  // All overloads of pino's methods come down to details and a message.
  return { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') } as Log;
}
