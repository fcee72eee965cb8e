import { cpuTimeRatio } from '../../../test/cpu-time.ts';
import { describe, expect, it } from 'vitest';
import { plainOf } from '../../api/json/json-tree.ts';
import { YamlError } from './error.ts';
import { encodeYaml } from './write.ts';
import { parseYaml } from './read.ts';

function read(text: string): unknown {
  return plainOf(parseYaml(Buffer.from(text)).tree);
}

function readOrError(text: string): unknown {
  try {
    return read(text);
  } catch (error) {
    return error instanceof YamlError ? error.message : error;
  }
}

describe('parseYaml', () => {
  const scalars: readonly [string, unknown][] = [
    ['yes', true],
    ['y', true],
    ['Off', false],
    ['0o17', 15],
    ['017', 15],
    ['0x1F', 31],
    ['-0b11', -3],
    ['1_000', 1000],
    ['08', 8],
    ['1e3', 1000],
    ['.5', 0.5],
    ['+12', 12],
    ['9223372036854775807', 9223372036854775807n],
    ['1:30', '1:30'],
    ['2001-01-01', '2001-01-01'],
    ['2001-01-01T10:00:00Z', '2001-01-01T10:00:00Z'],
    ['1e999', '1e999'],
    ['0x', '0x'],
    ['~', null],
    ['', null],
    ['Null', null],
    ['"yes"', 'yes'],
    ["'1'", '1'],
    ['!!str 1', '1'],
    ['!!float 1', 1],
    ['!!int 0x10', 16],
    ['!!binary aGk=', 'hi'],
    ['<<', '<<'],
    ['NaN', 'NaN'],
  ];
  it.each(scalars)('reads the scalar %s', (text, value) => {
    expect(read(`a: ${text}`)).toEqual({ a: value });
  });

  it('reads block scalars, anchors and merge keys', () => {
    const text = 'base: &b {x: 1, y: 2}\nsub:\n  <<: *b\n  y: 3\ntext: |\n  a\n  b\nfolded: >-\n  a\n  b\n';
    expect(read(text)).toEqual({
      base: { x: 1, true: 2 },
      sub: { x: 1, true: 3 },
      text: 'a\nb\n',
      folded: 'a b',
    });
  });

  it.each([
    ['a::b: c', { 'a::b': 'c' }],
    ['{a::b: c:d, "x":e}', { 'a::b': 'c:d', x: 'e' }],
    ['a: b::', 'yaml: mapping values are not allowed in this context'],
    ['\u{1f600}é: \u{1f600}: a', 'yaml: mapping values are not allowed in this context'],
    ['a: "\\u00e9\\x41\u{1f600}"', { a: 'éA\u{1f600}' }],
    ['a: "b\r\n\r\n \n c"', { a: 'b\n\nc' }],
    ['a: >\n  b\r\r\n\n  c', { a: 'b\n\nc' }],
    ['a: !<tag%3Ayaml.org,2002%3Astr> 1', { a: '1' }],
    [`a: 0x${'0'.repeat(100)}1f`, { a: 31 }],
    [`a: ${'1'.repeat(100)}`, { a: Number('1'.repeat(100)) }],
  ])('reads runs of characters as one by one: %j', (text, value) => {
    expect(readOrError(text)).toEqual(value);
  });

  /** Texts of 1 MB: what is read at once, and words, lines, breaks and escapes of one scalar. */
  const longTexts = {
    colons: `a: ${'b:'.repeat(500_000)}c`,
    letters: `a: ${'é'.repeat(1_000_000)}`,
    pairs: `a: ${'\u{1f600}'.repeat(500_000)}`,
    breaks: `a: >\n  a${'\n'.repeat(1_000_000)}  b`,
    escapes: `a: "${'\\x41'.repeat(250_000)}"`,
    'a tag': `a: !<${'%41'.repeat(333_000)}> 1`,
    comments: `a:\n${'#\n'.repeat(500_000)}`,
    'a number': `a: ${'1'.repeat(1_000_000)}`,
    'plain words': `a: ${'b '.repeat(500_000)}`,
    'plain lines': `a: ${'b\n '.repeat(333_000)}`,
    'quoted lines': `a: "${'b\n'.repeat(500_000)}"`,
    'quoted blanks and breaks': `a: "${' \n'.repeat(500_000)}"`,
    'quoted escapes': `a: "${'\\n'.repeat(500_000)}"`,
    'quoted escapes of breaks': `a: "${'\\\n'.repeat(500_000)}"`,
    'quotes in quotes': `a: '${"''".repeat(500_000)}'`,
    'literal lines': `a: |\n${' b\n'.repeat(333_000)}`,
    'literal breaks': `a: |\n b${'\u0085'.repeat(500_000)} b`,
    'folded lines': `a: >\n${' b\n'.repeat(333_000)}`,
    'lines of blanks': `a:\n${' \n'.repeat(500_000)} b`,
    'a tag of pairs': `a: !<${'%C3%A9'.repeat(160_000)}> 1`,
    'what ends in a control character': `${'b'.repeat(1_000_000)}\u0001`,
  };
  it.each(Object.entries(longTexts))('reads 1 MB of %s in linear time', (_, text) => {
    expect(cpuTimeRatio(() => readOrError(text), 400, 3)).toBeLessThan(1);
  });

  it('reads the first document only', () => {
    expect(read('# head\n---\na: 1\n---\n: [\n')).toEqual({ a: 1 });
    expect(read('')).toBeNull();
    expect(read('---\n')).toBeNull();
  });

  it('reports duplicate keys by line; the last wins', () => {
    const { tree, duplicates } = parseYaml(Buffer.from('a: 1\nb: 2\na: 3\nb:\n  c: 1\n1: x\n1: y\nz: 1\nz: # none\n'));
    expect(plainOf(tree)).toEqual({ 1: true, a: 3, b: { c: 1 }, z: null });
    expect(duplicates).toEqual([
      'line 3: key "a" already set in map',
      'line 5: key "b" already set in map',
      'line 7: key 1 already set in map',
      'line 9: key "z" already set in map',
    ]);
  });

  it('keeps __proto__ as data', () => {
    const value = read('__proto__: {a: 1}') as object; // a mapping
    expect(Object.keys(value)).toEqual(['__proto__']);
  });

  const errors: readonly [string, string][] = [
    ['a:\n\t- b', 'yaml: line 2: found character that cannot start any token'],
    ['a: b: c', 'yaml: mapping values are not allowed in this context'],
    ['a: [1, 2', "yaml: line 1: did not find expected ',' or ']'"],
    ['a: {b: 1', "yaml: line 1: did not find expected ',' or '}'"],
    ['a: "x', 'yaml: found unexpected end of stream'],
    ['a: *x', "yaml: unknown anchor 'x' referenced"],
    ['a: &a [*a]', "yaml: anchor 'a' value contains itself"],
    ['a: 1\nfoo\nb: 2', "yaml: line 3: could not find expected ':'"],
    ['foo: bar\n- x', 'yaml: line 1: did not find expected key'],
    ['a: @x', 'yaml: found character that cannot start any token'],
    ['a: !!int x', 'yaml: cannot decode !!str `x` as a !!int'],
    ['a: .nan', 'json: unsupported value: NaN'],
    ['a: 1\n[]: b', 'yaml: line 1: did not find expected key'],
    ['a: 1\n{}: b', 'yaml: line 1: did not find expected key'],
    ['[a]: b', 'yaml: invalid map key: []interface {}{"a"}'],
    ['{a: ~}: b', 'yaml: invalid map key: map[interface {}]interface {}{"a":interface {}(nil)}'],
    [`? ${'['.repeat(9_000)}${']'.repeat(9_000)}\n: b`, `${'[]interface {}{'.repeat(9_000)}${'}'.repeat(9_000)}`],
    ['~: 1', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: 1'],
  ];
  it.each(errors)('refuses %j', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  it('bounds what aliases multiply', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 10; i++) {
      const item = `*a${i - 1}`;
      lines.push(`a${i}: &a${i} [${Array.from({ length: 10 }, () => item).join(', ')}]`);
    }
    expect(() => read(lines.join('\n'))).toThrow('yaml: document contains excessive aliasing');
  });
});

describe('encodeYaml', () => {
  const cases: readonly [string, string][] = [
    ['{}', '{}\n'],
    ['{"a":[],"b":{},"c":null}', 'a: []\nb: {}\nc: null\n'],
    ['{"a":[{"b":1,"c":[1,2]},[3]]}', 'a:\n- b: 1\n  c:\n  - 1\n  - 2\n- - 3\n'],
    ['{"a10":1,"a2":1,"a.b":1,"B":1}', 'B: 1\na.b: 1\na2: 1\na10: 1\n'],
    [
      '{"a":"true","b":"1","c":"1:30","d":"2001-01-01","e":"<<","f":""}',
      'a: "true"\nb: "1"\nc: "1:30"\nd: "2001-01-01"\ne: <<\nf: ""\n',
    ],
    ['{"a":"x: y","b":"#","c":"- a","d":" a","e":"it\'s"}', "a: 'x: y'\nb: '#'\nc: '- a'\nd: ' a'\ne: it's\n"],
    [
      '{"a":"x\\ny\\n","b":"x\\ny","c":"x\\n\\n","d":" x\\n","e":"x \\ny"}',
      'a: |\n  x\n  y\nb: |-\n  x\n  y\nc: |+\n  x\n\nd: |2\n   x\ne: "x \\ny"\n',
    ],
    ['{"a":"\\u0007\\t","b":"\ud83d\ude00"}', 'a: "\\a\\t"\nb: "\\U0001F600"\n'],
    [
      '{"a":1.5,"b":1000000.5,"c":1e21,"d":0.00001,"e":12345678901234567890,"f":18446744073709551616,"g":-0}',
      'a: 1.5\nb: 1.0000005e+06\nc: 1e+21\nd: 1e-05\ne: 12345678901234567890\nf: 1.8446744073709552e+19\ng: 0\n',
    ],
  ];
  it.each(cases)('writes %s', (json, yaml) => {
    expect(encodeYaml(json)).toBe(yaml);
  });

  it('folds lines after 80 columns', () => {
    const text = 'word '.repeat(30).trim();
    const [first = '', second = ''] = encodeYaml(JSON.stringify({ a: text })).split('\n');
    expect(first).toBe(`a: ${'word '.repeat(16).trim()}`);
    expect(second.startsWith('  word')).toBe(true);
    expect(read(encodeYaml(JSON.stringify({ a: text })))).toEqual({ a: text });
  });

  it('writes long keys in the ? form', () => {
    const key = 'k'.repeat(129);
    expect(encodeYaml(JSON.stringify({ [key]: ['a'] }))).toBe(`? ${key}\n: - a\n`);
  });
});
