import { describe, expect, test } from 'vitest';
import type { LogLine } from '../../api/contracts/log.ts';
import { jsonLine } from './json-format.ts';
import { textLine } from './text-format.ts';

const site = { file: 'stages/httplog.ts', line: 12 };
const known = (message: string, cause?: Error): Error =>
  Object.assign(new Error(message, cause === undefined ? {} : { cause }), { code: 'KNOWN' });
const atMs = new Date(2026, 10, 9, 3, 4, 5).getTime() + 6.789;

// klog's own expectations.
describe('text', () => {
  const head = (letter: string): string =>
    `${letter}1109 03:04:05.006789 ${String(process.pid).padStart(7)} httplog.ts:12] `;

  test.each<[Partial<LogLine>, string, string]>([
    [{ message: 'test' }, 'I', '"test"'],
    [
      { message: 'a "b"\n', values: { key: 'v "w"', n: 1, b: true, none: null } },
      'I',
      String.raw`"a \"b\"\n" key="v \"w\"" n=1 b=true none=null`,
    ],
    [
      { message: 'x', values: { list: ['a', 'b'], object: { a: 1 }, absent: undefined } },
      'I',
      '"x" list=["a","b"] object={"a":1}',
    ],
    [
      { message: 'x', values: { text: 'line 1\nline 2\n', after: 1 } },
      'I',
      '"x" text=<\n\tline 1\n\tline 2\n > after=1',
    ],
    [{ message: 'x', values: { text: 'line 1\nline 2' } }, 'I', '"x" text=<\n\tline 1\n\tline 2\n >'],
    [{ message: 'Failed "x"', severity: 'warning', isText: true }, 'W', 'Failed "x"'],
    [{ message: 'x', severity: 'error', error: known('no'), values: { a: 1 } }, 'E', '"x" err="no" a=1'],
    [{ message: 'x', severity: 'error', error: known('no', known('why')) }, 'E', '"x" err="no: caused by: why"'],
    [{ message: 'x', severity: 'error', error: known('no: why', known('why')) }, 'E', '"x" err="no: why"'],
    [{ message: 'x', severity: 'error', error: 'text' }, 'E', '"x" err="text"'],
    [{ message: '\u0007 \u{1f600} \u00a0' }, 'I', String.raw`"\a ` + '\u{1f600}' + String.raw` \u00a0"`],
  ])('%j', (line, letter, text) => {
    expect(textLine({ site, severity: 'info', message: '', ...line }, atMs)).toBe(`${head(letter)}${text}\n`);
  });

  test('bugs have their stack', () => {
    const line = textLine({ site, severity: 'error', message: 'x', error: new TypeError('bug') }, atMs);
    expect(line).toMatch(/^E1109 .* "x" err="bug" stack=<\n\tTypeError: bug\n\t +at [^]* >\n$/);
  });
});

// The expectations of component-base.
describe('JSON', () => {
  const head = '"ts":0.0001,"caller":"stages/httplog.ts:12"';

  test.each<[Partial<LogLine>, string]>([
    [{ message: 'test', values: { ns: 'default', podnum: 2 } }, '"msg":"test","v":0,"ns":"default","podnum":2'],
    [{ message: 'test', verbosity: 4 }, '"msg":"test","v":4'],
    [{ message: 'Failed "x"', severity: 'warning', isText: true }, String.raw`"msg":"Failed \"x\"","v":0`],
    [
      { message: 'wrong namespace', severity: 'error', values: { ns: 'default' }, error: known('invalid') },
      '"msg":"wrong namespace","ns":"default","err":"invalid"',
    ],
    [{ message: 'x', values: { absent: undefined, none: null } }, '"msg":"x","v":0,"none":null'],
  ])('%j', (line, text) => {
    expect(jsonLine({ site, severity: 'info', message: '', ...line }, 0.000_1)).toBe(`{${head},${text}}\n`);
  });
});
