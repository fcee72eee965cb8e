import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Target } from '../target.ts';
import { compareStarts } from '../against-starts.ts';
import type { Figure, Row } from './row.ts';

export const startRow: Row = {
  name: 'start',
  ofTarget: async (target, { starts }, add) => add(await measureStarts(target, starts)),
  against: ({ targets, dataDir }) => compareStarts(targets, dataDir),
};

/** First starts on empty directories, then restarts on each. Medians. */
async function measureStarts(target: Target, times: number): Promise<readonly Figure[]> {
  const first: number[] = [];
  const later: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const dataDir = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
    for (const figures of [first, later]) {
      const running = await target.start(dataDir);
      figures.push(running.startMs);
      await running.stop();
    }
    rmSync(dataDir, { recursive: true, force: true });
  }
  return [
    { name: 'first start to /readyz', unit: 'ms', value: median(first) },
    { name: 'later start to /readyz', unit: 'ms', value: median(later) },
  ];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
