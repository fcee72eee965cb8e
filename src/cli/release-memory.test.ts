import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';

const program = `
  import { releaseMemoryWhenIdle } from ${JSON.stringify(new URL('release-memory.ts', import.meta.url).href)};
  releaseMemoryWhenIdle();
  const endMs = performance.now() + 1_500;
  const work = () => {
    const untilMs = performance.now() + 5;
    while (performance.now() < untilMs);
    if (untilMs < endMs) setTimeout(work, 15);
    else console.log('idle');
  };
  work();
  setTimeout(() => undefined, 60_000);
  // Told to, it takes 64 MiB and forgets them.
  process.stdin.on('data', () => {
    for (let part = 0; part < 64; part += 1) Buffer.alloc(1024 * 1024);
  });
`;

/** What V8 says of a collection that was asked for. */
const requested = 'testing; GC in old space requested';

test('memory is released when nothing happens, and again when much has been taken since', async () => {
  const child = spawn(process.execPath, ['--trace-gc', '--input-type=module', '--eval', program]);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  try {
    await expect.poll(() => printed).toContain(requested);
    expect(printed.indexOf('idle')).toBeGreaterThanOrEqual(0);
    expect(printed.indexOf('idle')).toBeLessThan(printed.indexOf(requested));
    // V8 collects several times in a row.
    await sleep(500);
    const count = printed.split(requested).length;
    await sleep(1_200);
    expect(printed.split(requested).length).toBe(count);
    child.stdin.write('take');
    await expect.poll(() => printed.split(requested).length).toBeGreaterThan(count);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});
