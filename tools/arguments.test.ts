import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { usageIn } from './arguments.ts';

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

test('help is printed, and wrong arguments are an error with the usage', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-arguments-'));
  const tool = join(folder, 'tool.ts');
  try {
    await writeFile(
      tool,
      `// node tool.ts NAME [--count N]: counts.
import { readArguments } from ${JSON.stringify(join(import.meta.dirname, 'arguments.ts'))};
const options = { count: { type: 'string', default: '5' } } as const;
const { values, positionals } = readArguments({ allowPositionals: true, options }, { needed: 1 });
console.log(values.count, positionals.join());
`,
    );
    const usage = 'node tool.ts NAME [--count N]: counts.\n';
    await expect(run(process.execPath, [tool, '--help'])).resolves.toEqual({ stdout: usage, stderr: '' });
    await expect(run(process.execPath, [tool, 'a', '--count=7'])).resolves.toMatchObject({ stdout: '7 a\n' });
    for (const wrong of [[], ['a', '--counts=7'], ['a', '--count']]) {
      await expect(run(process.execPath, [tool, ...wrong]), wrong.join(' ')).rejects.toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^\S.*\n[\s\S]*\nnode tool\.ts NAME \[--count N\]: counts\.\n$/),
      });
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
