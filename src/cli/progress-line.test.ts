import { expect, test } from 'vitest';
import { ProgressLine } from './progress-line.ts';

const clear = '\r\u001b[K';

test('one line is rewritten, cut to the width, and cleared at the end', () => {
  let written = '';
  let nowMs = 0;
  const terminal = { columns: () => 60, write: (text: string) => void (written += text) };
  const line = new ProgressLine('compacting', terminal, () => nowMs);
  nowMs = 2000;
  line.show({ done: 12_000, total: 40_000, unit: 'revisions' });
  // Too soon.
  nowMs = 2050;
  line.show({ done: 12_100, total: 40_000, unit: 'revisions' });
  nowMs = 4000;
  line.show({ done: 3 << 20, total: 12 << 20, unit: 'bytes' });
  line[Symbol.dispose]();
  line[Symbol.dispose]();
  expect(written).toBe(
    `${clear}compacting: 12,000 of 40,000 revisions (30 %), 6,000/s\r` +
      `${clear}compacting: 3.0 MiB of 12.0 MiB (25 %), 768.0 KiB/s\r${clear}`,
  );
});

test('without a terminal nothing is written, and without a total there is no percentage', () => {
  using silent = new ProgressLine('saving', undefined);
  silent.show({ done: 1, total: 2, unit: 'keys' });
  let written = '';
  let nowMs = 0;
  const terminal = { columns: () => 20, write: (text: string) => void (written += text) };
  using line = new ProgressLine('saving', terminal, () => nowMs);
  nowMs = 1000;
  line.show({ done: 500, unit: 'keys' });
  expect(written).toBe(`${clear}saving: 500 keys, 5\r`);
});
