import { expect, test } from 'vitest';
import type { SwaggerPart } from '../catalogue/remote-version.ts';
import { besideOthers } from './remote-parts.ts';

function part(definitions: { readonly [name: string]: object }): SwaggerPart {
  const texts = Object.entries(definitions).map(([name, value]) => [name, JSON.stringify(value)] as const);
  return {
    paths: new Map([['/a', '{"$ref":"#/definitions/Meta"}']]),
    definitions: new Map(texts),
    parameters: new Map(),
  };
}

const own = part({ Meta: { type: 'object', description: 'ours' } });

test('a definition that means the same stays one', () => {
  const [beside] = besideOthers([own], [part({ Meta: { description: 'theirs', type: 'object' } })]);
  expect(beside?.paths.get('/a')).toBe('{"$ref":"#/definitions/Meta"}');
});

test('one that means something else gets another name, everywhere', () => {
  const other = part({ Meta: { type: 'string' }, Own: { items: { $ref: '#/definitions/Meta' } } });
  const [first, second] = besideOthers([own], [other, part({ Meta: { type: 'number' } })]);
  expect([...(first?.definitions ?? [])]).toEqual([
    ['Meta_v2', '{"type":"string"}'],
    ['Own', '{"items":{"$ref":"#/definitions/Meta_v2"}}'],
  ]);
  expect(first?.paths.get('/a')).toBe('{"$ref":"#/definitions/Meta_v2"}');
  expect([...(second?.definitions.keys() ?? [])]).toEqual(['Meta_v3']);
});
