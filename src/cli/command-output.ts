import type { Terminal } from './progress-line.ts';

/** Where commands write. */
export interface CommandOutput {
  readonly stdout: (text: string) => void;
  /** Where progress is shown; absent: nowhere. */
  readonly terminal?: Terminal | undefined;
}
