import type { Sample } from './sample.ts';

export interface RatedSample extends Sample {
  /** On the average of the last two minutes: a busy machine slows the load down. */
  readonly stepsPerSecond: number;
}

const averagedSeconds = 120;
const start = { seconds: 0, steps: 0 };

export function withRates(samples: readonly Sample[]): readonly RatedSample[] {
  return samples.map((sample) => {
    const before = samples.findLast(({ seconds }) => seconds <= sample.seconds - averagedSeconds) ?? start;
    return { ...sample, stepsPerSecond: (sample.steps - before.steps) / (sample.seconds - before.seconds) };
  });
}
