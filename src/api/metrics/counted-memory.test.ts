import { expect, test } from 'vitest';
import { countHere } from './counted-memory.ts';

const sizeBytes = 1 << 20;

/** What V8 counts, and what the process has in memory. */
function used(): { readonly external: number; readonly resident: number } {
  const { external, rss } = process.memoryUsage();
  return { external, resident: rss };
}

test('shared memory counts as memory of the thread, which takes up no further memory', () => {
  const memory = Array.from({ length: 64 }, () => new SharedArrayBuffer(sizeBytes));
  for (const each of memory) new Uint8Array(each).fill(1);
  const before = used();
  for (const each of memory) countHere(each);
  const after = used();
  expect(after.external - before.external).toBeGreaterThanOrEqual(64 * sizeBytes);
  expect(after.resident - before.resident).toBeLessThan(8 * sizeBytes);
});
