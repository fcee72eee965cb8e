import type { LogLine } from '../../api/contracts/log.ts';

/** A line as it will be written. */
export interface WrittenLine {
  readonly severity: LogLine['severity'];
  readonly text: string;
  /** Goes with the info lines. */
  readonly isInfo: boolean;
  /** When it was told, by the machine's clock. */
  readonly machineMs: number;
}

/** Where lines go. */
export interface LineSink {
  /** A line is about to be told, later than this. */
  announce?(): void;
  write(line: WrittenLine): void;
}
