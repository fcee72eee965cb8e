import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recorders } from './recorders.ts';

const root = join(import.meta.dirname, '..');
const patterns = ['test/{*,recorded/*,recorded/*/*}/{record,record-*}.ts', 'tools/*/record.ts'];

test('node test/record.ts knows every recorder', () => {
  const programs = globSync(patterns, { cwd: root });
  expect(programs.length).toBeGreaterThan(30);
  const known = Object.values(recorders).map(({ program }) => program);
  expect(programs.filter((program) => !known.includes(program))).toEqual([]);
  expect(known.filter((program) => !existsSync(join(root, program)))).toEqual([]);
});

test('without a known subject it lists them', () => {
  const { status, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'record.ts'), 'nonsense'], {
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0]),
  ).toEqual(Object.keys(recorders));
});

test('a recorder that is started with arguments gets them, and its exit code is passed on', () => {
  // The recorder refuses to start without an oracle.
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'record.ts'), 'cel'], {
    encoding: 'utf8',
  });
  expect(status).not.toBe(0);
  expect(stderr).toContain('ORACLE');
});
