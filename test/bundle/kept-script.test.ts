import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asKeptScript } from '../../scripts/kept-script.mjs';

const folder = mkdtempSync(join(tmpdir(), 'binnacle-kept-'));
const cache = join(folder, '.cache');

/** In parts, or vitest looks for the map of this file. */
const mapComment = ['//#', 'sourceMappingURL'].join(' ');

beforeAll(() => {
  const text = `import { half as halved } from "./half.js";
function calledAtStart() { return halved(84); }
async function loadedLater() { return (await import("./half.js")).half((await import("node:path")).posix.sep.length * 4); }
function where() { return import.meta.url; }
export {
  calledAtStart as calledAtStart$1,
  loadedLater,
  where
};
${mapComment}=core.js.map
`;
  const { script, module } = asKeptScript(text, 'core-script.js');
  const launcher = `process.getBuiltinModule('node:module').enableCompileCache(${JSON.stringify(cache)});
const { calledAtStart$1, keepCompiled, loadedLater, where } = await import('./core.js');
console.log(JSON.stringify([calledAtStart$1(), await loadedLater(), where()]));
keepCompiled();
`;
  const files = {
    'core-script.js': script,
    'core.js': module,
    'main.js': launcher,
    'package.json': '{"type":"module"}',
  };
  writeFileSync(join(folder, 'half.js'), 'export const half = (number) => number / 2;\n');
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The output of a start, and how often it compiled a function that each start calls. */
function start(): { readonly output: unknown; readonly compiled: number } {
  const log = join(folder, 'events.log');
  const flags = ['--log-function-events', `--logfile=${log}`, '--no-logfile-per-isolate'];
  const output: unknown = JSON.parse(
    execFileSync(process.execPath, [...flags, join(folder, 'main.js')], { encoding: 'utf8' }),
  );
  const events = readFileSync(log, 'latin1').split('\n');
  const isCompilation = (event: string): boolean =>
    /^function,(parse-function|full-parse),.*,calledAtStart$/.test(event);
  return { output, compiled: events.filter(isCompilation).length };
}

/** The cache of the script has a longer name than those of Node. */
function keptFiles(): readonly string[] {
  const [release = ''] = readdirSync(cache);
  return readdirSync(join(cache, release))
    .filter((name) => /^[0-9a-f]{16}$/.test(name))
    .map((name) => join(cache, release, name));
}

test('what a start called is compiled once, for all later starts, and again if the cache is damaged', () => {
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache);
  const output = [42, 2, expect.stringMatching(/^file:.*\/core\.js$/)];
  const first = start();
  expect(first.output).toEqual(output);
  expect(first.compiled).toBeGreaterThan(0);
  const [kept = ''] = keptFiles();
  const content = readFileSync(kept);
  expect(start()).toEqual({ output, compiled: 0 });
  expect(readFileSync(kept)).toEqual(content);

  appendFileSync(kept, 'x');
  expect(start()).toEqual({ output, compiled: first.compiled });
  expect(start()).toEqual({ output, compiled: 0 });
  for (const torn of [Buffer.alloc(0), Buffer.alloc(2), content.subarray(0, 100)]) {
    writeFileSync(kept, torn);
    expect(start()).toEqual({ output, compiled: first.compiled });
  }
});

test.each(['await null;', 'import(where);'])(
  'a module that a script cannot be fails when it is built: %s',
  (statement) => {
    expect(() => asKeptScript(`export {};\n${statement}\n`, 'core-script.js')).toThrow(SyntaxError);
  },
);
