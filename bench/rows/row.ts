import type { BothServers } from '../against.ts';
import type { Comparison } from '../comparison.ts';
import type { BenchOptions } from '../options.ts';
import type { TargetReport } from '../report.ts';
import type { Measured, Session } from '../session.ts';
import type { Target } from '../target.ts';

export interface Figure {
  readonly name: string;
  readonly unit: 'ms' | 'us' | 'MiB' | 'KiB';
  readonly value: number;
  readonly details?: Omit<Measured, 'cpuUsPerRequest'>;
}

/** Figures of one server. Lower is always better. */
export type Measurement = (session: Session) => Promise<readonly Figure[]>;

/** What a name of `--only` stands for; a row without the function for a way to run the bench has no part in it. */
export interface Row {
  readonly name: string;
  /** On the server of a target that other such rows use as well, in the order of the table, with the same pods. */
  readonly onPods?: Measurement;
  /** On a server of the target that has just been started. */
  readonly onFreshServer?: Measurement;
  /** With a target, which the row starts itself. */
  readonly ofTarget?: (target: Target, options: BenchOptions, add: AddFigures) => Promise<void>;
  /** Compares other things than the targets. */
  readonly apart?: (options: BenchOptions) => Promise<readonly TargetReport[]>;
  /** Compares this checkout with another one. */
  readonly against?: (both: BothServers) => Promise<readonly Comparison[]>;
}

export type AddFigures = (figures: readonly Figure[]) => void;

/** Server CPU per request, with latency and rate. */
export function cpuFigure(name: string, { cpuUsPerRequest, ...details }: Measured): Figure {
  return { name, unit: 'us', value: cpuUsPerRequest, details };
}
