import type { Clock } from '../time/clock.ts';
import type { Egress } from './egress.ts';
import type { Log } from './log.ts';
import type { RegisterMetric } from '../metrics/metric.ts';

/** What every row of a wiring table receives. */
export interface PartContext {
  readonly clock: Clock;
  /** Absent: nothing is logged. */
  readonly log?: Log;
  /** Reports failures of background work. */
  readonly onError: (error: unknown) => void;
  /** Runs when the server stops, in reverse order of registration. */
  readonly onStop: (stop: () => void | Promise<void>) => void;
  /**
   * Reads a text file, and calls `changed` with its text whenever that changes. When `changed` throws, the failure is
   * reported and the previous state stays in use.
   */
  readonly readFile: (path: string, changed?: (text: string) => void | Promise<void>) => Promise<string>;
  /**
   * Reads the text files of a folder whose names are wanted, in the order of their names, and calls `changed` when
   * anything in the folder has changed, as above.
   */
  readonly readFolder: (
    path: string,
    isWanted: (name: string) => boolean,
    changed: (files: readonly TextFile[]) => void | Promise<void>,
  ) => Promise<readonly TextFile[]>;
  readonly metric: RegisterMetric;
  /** How connections to other servers are opened; absent: directly. */
  readonly egress?: Egress | undefined;
}

export interface TextFile {
  readonly path: string;
  readonly text: string;
}
