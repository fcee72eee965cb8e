import type { Measured, Session } from '../session.ts';

export interface Figure {
  readonly name: string;
  readonly unit: 'ms' | 'us' | 'MiB' | 'KiB';
  readonly value: number;
  readonly details?: Omit<Measured, 'cpuUsPerRequest'>;
}

/** One line of the table, or several that come from one measurement. Lower is better everywhere. */
export interface Row {
  /** What `--only` calls it. */
  readonly name: string;
  run(session: Session): Promise<readonly Figure[]>;
}

/** Server CPU per request with its latency and rate. */
export function cpuFigure(name: string, { cpuUsPerRequest, ...details }: Measured): Figure {
  return { name, unit: 'us', value: cpuUsPerRequest, details };
}
