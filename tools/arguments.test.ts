import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { argumentsIn, UsageExit, usageIn } from './arguments.ts';

const run = promisify(execFile);

test('each tool says how it is called, and reads its arguments by the one function', async () => {
  const entries = await readdir(import.meta.dirname, { withFileTypes: true, recursive: true });
  const tools = entries.filter(({ name }) => name === 'main.ts').map(({ parentPath }) => parentPath);
  expect(tools.length).toBeGreaterThan(15);
  for (const folder of tools) {
    const text = await readFile(join(folder, 'main.ts'), 'utf8');
    const name = folder.slice(import.meta.dirname.length + 1);
    expect(usageIn(text), name).toMatch(new RegExp(`node tools/${name}/main\\.ts|npm run ${name}`));
    expect(text, name).toContain('readArguments(');
    expect(text, name).not.toMatch(/process\.argv|parseArgs\(/);
  }
});

test('comments of both kinds are read without their marks', () => {
  expect(usageIn('// One.\n//   two\nimport x;\n// three\n')).toBe('One.\n  two\n');
  expect(usageIn('/*\n * One.\n *\n *   two\n */\nimport x;\n')).toBe('One.\n\n  two\n');
});

const usage = 'node tool.ts NAME [--count N]: counts.\n';
const config = { allowPositionals: true, options: { count: { type: 'string', default: '5' } } } as const;

test('arguments are read, and help is found among them', () => {
  const read = (...args: string[]) => argumentsIn(args, { usage, config, needed: 1 });
  expect(read('a', '--count=7')).toMatchObject({ values: { count: '7' }, positionals: ['a'] });
  expect(read('a').values.count).toBe('5');
  expect(() => read('--help')).toThrow(new UsageExit(usage, true));
});

test.each([[], ['a', '--counts=7'], ['a', '--count']])(
  'wrong arguments are an error with the usage: %s %s',
  (...args) => {
    const failure = expect.objectContaining({
      isWanted: false,
      message: expect.stringMatching(/^\S.*\n[\s\S]*\nnode tool\.ts NAME \[--count N\]: counts\.\n$/),
    });
    expect(() => argumentsIn(args, { usage, config, needed: 1 })).toThrow(failure);
  },
);

test('a tool prints its comment as help and ends', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-arguments-'));
  try {
    const tool = join(folder, 'tool.ts');
    const imported = JSON.stringify(join(import.meta.dirname, 'arguments.ts'));
    const lines = [`// ${usage.trim()}`, `import { readArguments } from ${imported};`, 'readArguments({});', ''];
    await writeFile(tool, lines.join('\n'));
    await expect(run(process.execPath, [tool, '--help'])).resolves.toEqual({ stdout: usage, stderr: '' });
  } finally {
    await rm(folder, { recursive: true });
  }
});
