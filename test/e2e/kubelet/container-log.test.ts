import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { ContainerLog, type LogOptions } from './container-log.ts';

async function read(log: ContainerLog, options: Partial<LogOptions> = {}): Promise<string> {
  let text = '';
  const all = { follow: false, timestamps: false, tailLines: Infinity, sinceMs: 0, ...options };
  for await (const part of log.text(all)) text += part;
  return text;
}

test('lines are told, the last ones, and with the time of each', async () => {
  const log = new ContainerLog();
  const stdout = new PassThrough();
  const ended = log.read([stdout]);
  stdout.end('one\ntwo\nthree');
  await ended;
  expect(await read(log)).toBe('one\ntwo\nthree\n');
  expect(await read(log, { tailLines: 1 })).toBe('three\n');
  expect(await read(log, { tailLines: 1, timestamps: true })).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z three\n$/);
  expect(await read(log, { sinceMs: Date.now() + 1000 })).toBe('');
});

test('who follows gets all lines until the container ends', async () => {
  const log = new ContainerLog();
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const ended = log.read([stdout, stderr]);
  const followed = read(log, { follow: true });
  stdout.end('one\n');
  await new Promise((resolve) => void setImmediate(resolve));
  expect(await read(log)).toBe('one\n');
  stderr.end('two\n');
  await ended;
  expect(await followed).toBe('one\ntwo\n');
});
