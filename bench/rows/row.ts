import type { Measured, Session } from '../session.ts';

export interface Figure {
  readonly name: string;
  readonly unit: 'ms' | 'us' | 'MiB' | 'KiB';
  readonly value: number;
  readonly details?: Omit<Measured, 'cpuUsPerRequest'>;
}

/** One or more lines of the table from one measurement. Lower is always better. */
export interface Row {
  /** Its name in `--only`. */
  readonly name: string;
  run(session: Session): Promise<readonly Figure[]>;
}

/** Server CPU per request, with latency and rate. */
export function cpuFigure(name: string, { cpuUsPerRequest, ...details }: Measured): Figure {
  return { name, unit: 'us', value: cpuUsPerRequest, details };
}
