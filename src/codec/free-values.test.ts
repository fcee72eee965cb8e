import { describe, expect, test } from 'vitest';
import { parseJson } from './json.ts';
import { decodeObject } from '../schema/decode.ts';
import { schemaByName } from '../schema/kubernetes/definitions.ts';
import { customSchema } from '../schema/custom/custom-schema.ts';
import type { JsonSchema } from '../schema/custom/json-schema.ts';

const metadata = schemaByName('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
if (metadata === undefined) throw new Error('no metadata');
const text: JsonSchema = { type: 'string' };
const spec: JsonSchema = {
  type: 'object',
  properties: {
    name: text,
    maybe: { ...text, nullable: true },
    size: { type: 'integer', default: 3 },
    words: { type: 'object', additionalProperties: text },
    any: { type: 'object', additionalProperties: true },
    list: { type: 'array', items: { type: 'object', properties: { a: text } } },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: { type: 'object' } } },
    inner: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  },
};
const schema = customSchema({ type: 'object', properties: { spec } }, metadata);

function decoded(body: string): { readonly object: unknown; readonly strictErrors: readonly string[] } {
  return decodeObject(schema, parseJson(Buffer.from(`{"spec":${body}}`)));
}

describe('a value of a custom resource', () => {
  test.each<readonly [string, string, unknown, readonly string[]]>([
    ['of another type is kept', '{"name":5,"size":"x","list":{}}', { name: 5, size: 'x', list: {} }, []],
    ['that is null goes', '{"name":null}', {}, []],
    ['that is null and has a default has it', '{"size":null}', { size: 3 }, []],
    ['that may be null is', '{"maybe":null}', { maybe: null }, []],
    ['in a map goes as well', '{"words":{"a":null,"b":"c"}}', { words: { b: 'c' } }, []],
    ['in a list stays', '{"list":[null]}', { list: [null] }, []],
    ['that nobody knows goes', '{"b":{"c":1},"a":1}', {}, ['unknown field "spec.a"', 'unknown field "spec.b"']],
    [
      'below a list is known by its index',
      '{"list":[{"a":"b"},{"c":1}]}',
      { list: [{ a: 'b' }, {}] },
      ['unknown field "spec.list[1].c"'],
    ],
    [
      'of a map of anything keeps nothing in it',
      '{"any":{"a":{"b":1},"c":2}}',
      { any: { a: {}, c: 2 } },
      ['unknown field "spec.any.a.b"'],
    ],
    [
      'is kept where unknown ones are, but not below known ones',
      '{"open":{"x":{"y":null},"known":{"z":1}}}',
      { open: { x: { y: null }, known: {} } },
      ['unknown field "spec.open.known.z"'],
    ],
    [
      'that is written twice is what was written last',
      '{"name":"a","open":{"x":1,"x":2},"name":"b"}',
      { name: 'b', open: { x: 2 } },
      ['duplicate field "spec.open.x"', 'duplicate field "spec.name"'],
    ],
    [
      'in embedded metadata is decoded as metadata',
      '{"inner":{"metadata":{"name":"a","other":1},"x":1}}',
      { inner: { metadata: { name: 'a' }, x: 1 } },
      ['unknown field "spec.inner.metadata.other"'],
    ],
    ['past 64 bits is a number of the other kind', '{"size":18446744073709551616}', { size: 18446744073709551616 }, []],
  ])('%s', (_, body, expected, errors) => {
    const { object, strictErrors } = decoded(body);
    expect(object).toEqual({ spec: expected });
    expect(strictErrors).toEqual(errors);
  });

  test('in place of an embedded kind may be a string', () => {
    expect(() => decoded('{"inner":{"kind":5}}')).toThrow('spec.inner.kind: Invalid value: 5: must be a string');
  });

  test('has only own keys', () => {
    const { object } = decoded('{"open":{"__proto__":{"x":1},"constructor":1}}');
    expect(JSON.stringify(object)).toBe('{"spec":{"open":{"__proto__":{"x":1},"constructor":1}}}');
  });
});
