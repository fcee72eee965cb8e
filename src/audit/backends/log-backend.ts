import type { AuditEvent } from '../../api/contracts/audit.ts';
import type { Clock } from '../../api/time/clock.ts';
import type { AuditLogConfig } from '../audit-config.ts';
import { eventLine, eventText } from '../event-forms.ts';
import type { AuditBackend } from './backend.ts';
import type { EventFailure } from './failures.ts';
import { RotatingFile } from './rotating-file.ts';

interface LineWriter {
  write(line: Uint8Array): unknown;
  close(): Promise<void>;
}

const dayMs = 86_400_000;
const megabyte = 1_048_576;

/** Writes events as lines to a file, or to standard output. Throws where there can be no such file. */
export function logBackend(
  config: AuditLogConfig & { readonly path: string },
  { clock, failed, onError }: LogContext,
): AuditBackend {
  const lines = config.path === '-' ? standardOutput : fileOf(config, { clock, onError });
  const format = config.format === 'legacy' ? textLine : eventLine;
  return {
    process(events) {
      let stored = true;
      for (const event of events) stored = writeEvent(event, { lines, format, failed }) && stored;
      return stored;
    },
    close: () => lines.close(),
  };
}

export interface LogContext {
  readonly clock: Clock;
  readonly failed: EventFailure;
  readonly onError: (error: unknown) => void;
}

interface LineForm {
  readonly lines: LineWriter;
  readonly format: (event: AuditEvent) => Uint8Array;
  readonly failed: EventFailure;
}

function writeEvent(event: AuditEvent, { lines, format, failed }: LineForm): boolean {
  try {
    lines.write(format(event));
    return true;
  } catch (error) {
    failed('log', error, [event]);
    return false;
  }
}

function textLine(event: AuditEvent): Buffer {
  return Buffer.from(`${eventText(event)}\n`);
}

const standardOutput: LineWriter = {
  write: (line) => process.stdout.write(line),
  close: () => Promise.resolve(),
};

function fileOf(
  { path, maxSizeMegabytes, maxBackups, maxAgeDays, compress }: AuditLogConfig & { readonly path: string },
  { clock, onError }: Pick<LogContext, 'clock' | 'onError'>,
): LineWriter {
  const limits = { maxBytes: maxSizeMegabytes * megabyte, maxAgeMs: maxAgeDays * dayMs };
  return new RotatingFile({ path, clock, onError, maxBackups, compress, ...limits });
}
