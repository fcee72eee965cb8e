import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../api/json/json.ts';
import { JsonMembers, JsonNumber, type JsonSource, type JsonTree, spelledSource } from '../../api/json/json-tree.ts';
import { decodeObject } from '../decode.ts';
import type { Decoded } from '../decode-exact.ts';
import { schemaByName } from '../kubernetes/definitions.ts';
import type { Schema } from '../schema.ts';
import { customSchema } from './custom-schema.ts';

const metadata = schemaByName('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta') as Schema; // in the table
const properties = {
  kept: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  text: { type: 'string' },
} as const;
const schema = customSchema({ type: 'object', properties }, metadata);

const lists = (levels: number): string => '['.repeat(levels) + '1' + ']'.repeat(levels);
const objects = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

/** By the exact decoder. */
function decoded(text: string): Decoded {
  return decodeObject(schema, spelledSource(JSON.parse(text) as JsonValue));
}

function members(...entries: readonly (readonly [key: string, value: JsonTree])[]): JsonMembers {
  return new JsonMembers(
    entries.map(([key]) => key),
    entries.map(([, value]) => value),
  );
}

describe.each([
  { kind: 'lists', nested: lists },
  { kind: 'objects', nested: objects },
])('a custom resource with nested $kind', ({ nested }) => {
  it('may have 10,000 levels where it is pruned', () => {
    const { object, strictErrors } = decoded(`{"kind":"A","metadata":{"name":"a"},"x":${nested(9_999)}}`);
    expect(object).toEqual({ kind: 'A', metadata: { name: 'a' } });
    expect(strictErrors).toEqual(['unknown field "x"']);
  });

  it('may have as many in unknown fields of its metadata', () => {
    const { object, strictErrors } = decoded(`{"kind":"A","metadata":{"name":"a","x":${nested(9_998)}}}`);
    expect(object).toEqual({ kind: 'A', metadata: { name: 'a' } });
    expect(strictErrors).toEqual(['unknown field "metadata.x"']);
  });

  it('keeps as many', () => {
    const text = `{"kept":{"x":${nested(9_998)}}}`;
    expect(JSON.stringify(decoded(text).object)).toBe(text);
  });
});

it('keeps lists where another type is expected, for validation to refuse', () => {
  const text = `{"text":${lists(9_999)}}`;
  expect(JSON.stringify(decoded(text).object)).toBe(text);
  expect(JSON.stringify(decoded('{"text":[[1],[{"a":1}]]}').object)).toBe('{"text":[[1],[{}]]}');
});

it('tells duplicates in their order, the last of which wins', () => {
  const [one, two, three] = ['1', '2', '3'].map((text) => new JsonNumber(text)) as [JsonNumber, JsonNumber, JsonNumber];
  const kept = members(['b', one], ['c', [members(['d', one], ['d', two])]], ['b', members(['e', one], ['e', three])]);
  const tree = members(['kept', kept], ['kept', members(['z', one])]);
  const source: JsonSource = { value: {}, faithful: false, tree: () => tree };
  const { object, strictErrors } = decodeObject(schema, source);
  expect(object).toEqual({ kept: { z: 1 } });
  const paths = ['kept.c[0].d', 'kept.b', 'kept.b.e', 'kept'];
  expect(strictErrors).toEqual(paths.map((path) => `duplicate field "${path}"`));
});
