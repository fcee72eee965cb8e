import { expect, test } from 'vitest';
import { runOverload } from './overload-run.ts';

/** Longer by hand: `BINNACLE_OVERLOAD_SECONDS=300 npm test -- test/flow-control/fairness`. */
const seconds = Number(process.env['BINNACLE_OVERLOAD_SECONDS'] ?? 8);

test(
  'a greedy client takes no seats from others, and leader election and exempt requests none from anybody',
  {
    timeout: (seconds + 120) * 1_000,
  },
  async () => {
    const { modest, greedy, refused, failed, probes } = await runOverload({ seconds });
    const least = modest[0] ?? 0;
    const typical = modest[Math.floor(modest.length / 2)] ?? 0;
    expect(failed).toBe(0);
    // It was overloaded.
    expect(refused).toBeGreaterThan(100);
    expect(least).toBeGreaterThan(0);
    expect(least).toBeGreaterThanOrEqual(typical / 4);
    // It has six queues.
    expect(greedy).toBeLessThan(typical * 40);
    for (const [name, { worst }] of Object.entries(probes)) expect([name, worst < 60_000]).toEqual([name, true]);
  },
);
