import type { Logger } from 'pino';
import type { LoggingConfig } from './config.ts';

/** What the server writes its log with. */
export type Log = Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>;

/** A log of JSON lines on standard error. The library is loaded with the first line: a healthy start writes none. */
export function createLog({ level }: LoggingConfig): Log {
  let loaded: Promise<Logger> | undefined;
  const write = (method: keyof Log) => (details: object, message?: string) => {
    // A CommonJS library: bundled, it has its default export alone.
    loaded ??= import('pino').then(({ default: pino }) =>
      pino({ level, serializers: { error: pino.stdSerializers.err } }, process.stderr),
    );
    // A log that cannot be loaded has nowhere to say so but here.
    loaded.then(
      (logger) => logger[method](details, message),
      (error: unknown) => process.stderr.write(`binnacle: no log: ${String(error)}\n`),
    );
  };
  // The overloads of pino's methods all come down to details and a message.
  return { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') } as Log;
}
