import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

const program = `
  import { releaseMemoryWhenIdle } from ${JSON.stringify(new URL('release-memory.ts', import.meta.url).href)};
  releaseMemoryWhenIdle();
  const endMs = performance.now() + 1_500;
  const work = () => {
    if (performance.now() < endMs) setImmediate(work);
    else console.log('idle');
  };
  work();
  setTimeout(() => undefined, 60_000);
`;

/** What V8 says of a collection that was asked for. */
const requested = 'testing; GC in old space requested';

test('memory is released once, when nothing happens', async () => {
  const child = spawn(process.execPath, ['--trace-gc', '--input-type=module', '--eval', program]);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  try {
    await expect.poll(() => printed).toContain(requested);
    expect(printed.indexOf('idle')).toBeGreaterThanOrEqual(0);
    expect(printed.indexOf('idle')).toBeLessThan(printed.indexOf(requested));
    // V8 collects several times in a row.
    const count = printed.split(requested).length;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(printed.split(requested).length).toBe(count);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});
