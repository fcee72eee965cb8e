/** A figure of this checkout and of another. Lower is always better. */
export interface Comparison {
  readonly name: string;
  readonly unit: 'ms' | 'us' | 'MiB';
  /** Medians. */
  readonly there: number;
  readonly here: number;
  readonly ratioOfMinima: number;
  /** CPU time of threads other than the main one, per request. */
  readonly others?: { readonly there: number; readonly here: number };
  /** Their ratio, of all threads, where they can be counted. */
  readonly instructions?: number;
}

export function comparisonText({ name, unit, there, here, ratioOfMinima, others, instructions }: Comparison): string {
  const values = `${there.toFixed(1)} ${unit} there, ${here.toFixed(1)} ${unit} here`;
  const ratios = `ratio ${(here / there).toFixed(2)} (of minima ${ratioOfMinima.toFixed(2)})`;
  const more = others === undefined ? '' : `; other threads ${others.there.toFixed(1)}, ${others.here.toFixed(1)}`;
  const counted = instructions === undefined ? '' : `; instructions ${instructions.toFixed(2)}`;
  return `${name}: ${values}, ${ratios}${more}${counted}`;
}
