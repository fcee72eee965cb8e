import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../api/json/json.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { decodePlain } from '../decode.ts';
import { applyDefaults } from '../default.ts';
import type { Field, Schema } from '../schema.ts';
import { customSchema } from './custom-schema.ts';
import type { JsonSchema } from './json-schema.ts';

const name: Field = {
  name: 'name',
  schema: { type: 'string', goType: 'string' },
  required: false,
  pointer: false,
  omit: 'empty',
};
const metadata: Schema = {
  type: 'object',
  goType: 'v1.ObjectMeta',
  structure: { goName: 'ObjectMeta', fields: new Map([[name.name, name]]) },
};

const text: JsonSchema = { type: 'string' };
const keeps = { 'x-kubernetes-preserve-unknown-fields': true } as const;

function schemaOf(properties: { readonly [name: string]: JsonSchema }, more: JsonSchema = {}): Schema {
  return customSchema({ type: 'object', properties: { spec: { type: 'object', properties } }, ...more }, metadata);
}

/** The decoded object, and the strict errors. */
function pruned(
  schema: Schema,
  object: JsonObject,
): { readonly object: JsonObject; readonly unknown: readonly string[] } {
  const { object: kept, strictErrors } = decodePlain(schema, object);
  return { object: kept, unknown: strictErrors.map((text) => text.replace(/^unknown field "(.*)"$/, '$1')) };
}

function defaulted(schema: Schema, object: JsonObject): JsonObject {
  const { object: read } = decodePlain(schema, object);
  applyDefaults(schema, read as unknown as KubernetesObject, {});
  return read;
}

describe('pruning', () => {
  it.each<readonly [string, JsonSchema, JsonObject, JsonObject, readonly string[]]>([
    ['unknown fields', { type: 'object', properties: { b: text } }, { a: '', b: '' }, { b: '' }, ['spec.x.a']],
    [
      'fields of items',
      { type: 'array', items: { type: 'object' } },
      [{ a: 1 }] as unknown as JsonObject,
      [{}] as unknown as JsonObject,
      ['spec.x[0].a'],
    ],
    ['nothing of a map', { type: 'object', additionalProperties: text }, { a: '', b: '' }, { a: '', b: '' }, []],
    [
      'what is in a map of anything',
      { type: 'object', additionalProperties: true },
      { a: { b: 1 } },
      { a: {} },
      ['spec.x.a.b'],
    ],
    [
      'nothing of what is preserved',
      { type: 'object', ...keeps },
      { a: { b: [{ c: 1 }] } },
      { a: { b: [{ c: 1 }] } },
      [],
    ],
    [
      'known fields of what is preserved',
      { type: 'object', properties: { a: { type: 'object' } }, ...keeps },
      { a: { b: 1 }, c: 1 },
      { a: {}, c: 1 },
      ['spec.x.a.b'],
    ],
    [
      'all but kind and metadata of objects within',
      { type: 'object', 'x-kubernetes-embedded-resource': true },
      { apiVersion: 'v1', kind: 'K', metadata: { name: 'n', other: 1 }, spec: {} },
      { apiVersion: 'v1', kind: 'K', metadata: { name: 'n' } },
      ['spec.x.spec', 'spec.x.metadata.other'],
    ],
    ['free values', keeps, { a: { b: 1 } }, { a: { b: 1 } }, []],
  ])('removes %s', (_, x, before, after, unknown) => {
    expect(pruned(schemaOf({ x }), { spec: { x: before } })).toEqual({ object: { spec: { x: after } }, unknown });
  });

  it('treats `__proto__` like any other field', () => {
    const object = JSON.parse('{"spec":{"__proto__":{"a":1}}}') as JsonObject;
    expect(pruned(schemaOf({}), object).unknown).toEqual(['spec.__proto__']);
    expect(pruned(schemaOf({}, { properties: {}, ...keeps }), object).object).toEqual(object);
  });
});

describe('defaults and nulls', () => {
  it.each<readonly [string, JsonSchema, JsonObject, JsonObject]>([
    ['an absent field has its default', { default: 'd', ...text }, {}, { x: 'd' }],
    ['a null has the default in its place', { default: 'd', ...text }, { x: null }, { x: 'd' }],
    ['a null that is allowed stays', { default: 'd', nullable: true, ...text }, { x: null }, { x: null }],
    ['an allowed null stays without a default', { nullable: true, ...text }, { x: null }, { x: null }],
    ['a null without a default goes', text, { x: null }, {}],
    ['what is there stays', { default: 'd', ...text }, { x: '' }, { x: '' }],
    [
      'defaults are within defaults',
      { type: 'object', default: {}, properties: { y: { type: 'integer', default: 1 } } },
      {},
      { x: { y: 1 } },
    ],
    [
      'items have defaults in the place of null',
      { type: 'array', items: { default: 'd', ...text } },
      { x: [null, 'a'] },
      { x: ['d', 'a'] },
    ],
    ['a null in a list stays where there is no default', { type: 'array', items: text }, { x: [null] }, { x: [null] }],
    [
      'values of maps have them too',
      { type: 'object', additionalProperties: { default: 'd', ...text } },
      { x: { a: null } },
      { x: { a: 'd' } },
    ],
    [
      'a null in a map goes',
      { type: 'object', additionalProperties: text },
      { x: { a: null, b: '' } },
      { x: { b: '' } },
    ],
  ])('%s', (_, x, before, after) => {
    const schema = schemaOf({ x });
    expect(defaulted(schema, { spec: before })).toEqual({ spec: after });
  });

  it('are copies', () => {
    const value = { a: [1] };
    const schema = schemaOf({ x: { type: 'object', ...keeps, default: value } });
    const { spec } = defaulted(schema, { spec: {} });
    expect((spec as JsonObject)['x']).toEqual(value);
    expect((spec as JsonObject)['x']).not.toBe(value);
  });
});
