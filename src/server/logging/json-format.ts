import type { LogLine } from '../../api/contracts/log.ts';
import { lineErrorOf } from './line-error.ts';

/**
 * The JSON of Kubernetes' components: `ts` is in milliseconds since the epoch, `v` the verbosity, which errors do not
 * have. A value is never lost to one of these names: the last of several is what parsers take.
 */
export function jsonLine(line: LogLine, nowMs: number): string {
  const { severity, site, message, verbosity = 0, values = {}, error } = line;
  const failed = error === undefined ? undefined : lineErrorOf(error);
  const all = {
    ts: Math.round(nowMs * 10_000) / 10_000,
    caller: `${site.file}:${site.line}`,
    msg: message,
    ...(severity === 'error' ? {} : { v: verbosity }),
    ...values,
    ...(failed === undefined ? {} : { err: failed.text, stack: failed.stack }),
  };
  return `${JSON.stringify(all)}\n`;
}
