import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';

const releaseMemory = JSON.stringify(new URL('release-memory.ts', import.meta.url).href);
const program = `
  import { releaseMemoryWhenIdle } from ${releaseMemory};
  releaseMemoryWhenIdle();
  const endMs = performance.now() + 1_500;
  // Without a pause: on a busy machine, pauses are longer than asked for.
  const work = () => {
    if (performance.now() < endMs) setImmediate(work);
    else console.log('idle');
  };
  work();
  setTimeout(() => undefined, 300_000);
  const taken = [];
  process.stdin.setEncoding('utf8').on('data', (told) => {
    if (told === 'take') for (let part = 0; part < 64; part += 1) taken.push(Buffer.alloc(1024 * 1024));
    console.log('heard ' + told);
  });
`;

/** What V8 says of a collection that was asked for. */
const requested = 'testing; GC in old space requested';
const patient = { timeout: 30_000 };

test('memory is released when nothing happens, and again when much has been taken since', async () => {
  const child = spawn(process.execPath, ['--trace-gc', '--input-type=module', '--eval', program]);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const count = (): number => printed.split(requested).length - 1;
  try {
    await expect.poll(() => printed, patient).toContain(requested);
    expect(printed.indexOf('idle')).toBeGreaterThanOrEqual(0);
    expect(printed.indexOf('idle')).toBeLessThan(printed.indexOf(requested));
    // V8 collects several times in a row; the program hears nothing meanwhile.
    child.stdin.write('wait');
    await expect.poll(() => printed, patient).toContain('heard wait');
    const before = count();
    await sleep(1_200);
    expect(count()).toBe(before);
    child.stdin.write('take');
    await expect.poll(count, patient).toBeGreaterThan(before);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}, 120_000);

const threads = `
  import { Worker } from 'node:worker_threads';
  const release = 'import(${releaseMemory}).then((module) => module.releaseMemoryWhenIdle()); setInterval(() => 0, 1e6)';
  for (let thread = 0; thread < 3; thread += 1) new Worker(release, { eval: true, execArgv: [] });
`;

test('each of several threads does so', { timeout: 60_000 }, async () => {
  const child = spawn(process.execPath, ['--trace-gc', '--input-type=module', '--eval', threads]);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const requesting = (): ReadonlySet<string> =>
    new Set(
      printed.split('\n').flatMap((line) => (line.includes(requested) ? (/:(0x\w+)\]/.exec(line)?.[1] ?? []) : [])),
    );
  try {
    await expect.poll(() => requesting().size, patient).toBe(3);
    expect(printed).not.toContain('Error');
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});
