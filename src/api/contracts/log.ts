/** Where in the sources a line of the log comes from: `stages/httplog.ts`, line 12. */
export interface LogSite {
  readonly file: string;
  readonly line: number;
}

export type LogValues = { readonly [key: string]: unknown };

export interface LogLine {
  readonly site: LogSite;
  readonly severity: 'info' | 'warning' | 'error';
  readonly message: string;
  /** Undefined ones are left out. */
  readonly values?: LogValues | undefined;
  /** Shown with its causes; one that is not known to happen also with its stack. */
  readonly error?: unknown;
  /** The verbosity of an info line; 0 by default. */
  readonly verbosity?: number;
  /** The message is a text for people, which is not quoted. */
  readonly isText?: boolean;
}

/** The log of a server. Never pass bodies, tokens or other secrets to it, at any verbosity. */
export interface Log {
  /** Whether lines of this verbosity are written, by `-v` or by `--vmodule` for the file of the site. */
  enabled(verbosity: number, site: LogSite): boolean;
  /** Does not look at the verbosity: ask before a line is made. */
  write(line: LogLine): void;
}

/**
 * The place of a constant in the sources, of which its module gives folder and file. The build adds the line; from
 * sources, the stack tells it, once.
 */
export function logSite(place: string): LogSite {
  const [file = '', line] = place.split(':');
  return { file, line: line === undefined ? callerLine() : Number(line) };
}

function callerLine(): number {
  const caller = new Error().stack?.split('\n')[3];
  return Number(/:(\d+):\d+\)?$/.exec(caller ?? '')?.[1] ?? 1);
}

/** What happens where nobody wants to know. */
export const noLog: Log = { enabled: () => false, write: () => undefined };
