import type { Clock } from './clock.ts';
import type { Measure, MeasureDefinition, Reading } from './measure.ts';

/** What every row of a wiring table is given to make its part of the server with. */
export interface PartContext {
  readonly clock: Clock;
  /** Reports failures that nobody waits for. */
  readonly onError: (error: unknown) => void;
  /** Runs when the server stops; what was made last is stopped first. */
  readonly onStop: (stop: () => void | Promise<void>) => void;
  /**
   * Reads a text file, and calls `changed` with its text whenever that is another one. When `changed` throws, the failure is
   * reported, and the part goes on with what it had.
   */
  readonly readFile: (path: string, changed?: (text: string) => void | Promise<void>) => Promise<string>;
  /** A number that is told in `/metrics`; one with `read` is found out when somebody asks. */
  readonly measure: (definition: MeasureDefinition, read?: () => readonly Reading[]) => Measure;
}
