import { expect, test } from 'vitest';
import { allOf } from '../../../api/errors/findings.ts';
import type { JsonSchema } from '../../../schema/custom/json-schema.ts';
import type { CustomResourceDefinition } from '../../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import { definitionUpdateWarnings, definitionWarnings } from './warnings.ts';

function definitionOf(properties: { readonly [name: string]: JsonSchema }): CustomResourceDefinition {
  const schema = { openAPIV3Schema: { type: 'object', properties } };
  return { spec: { group: 'a.b', names: { plural: 'as', kind: 'A' }, scope: 'Cluster', versions: [{ schema }] } };
}

const formatOf = (name: string): string => `unrecognized format "${name}"`;
const setOf = (type: string): string =>
  `x-kubernetes-list-type: set for items of type "${type}" is not supported by server-side apply or CEL validation rules`;

const definition = definitionOf({
  list: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'object', format: 'inner' } },
  lists: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'array', items: { type: 'string' } } },
  map: { type: 'object', format: 'outer', additionalProperties: { type: 'string', format: 'values' } },
  last: { type: 'string', format: 'date-time' },
});

test('formats are told of in the order of the schema, and sets after them', () => {
  const formats = ['inner', 'outer', 'values'].map(formatOf);
  expect(allOf(definitionWarnings(definition))).toEqual([...formats, setOf('array'), setOf('object')]);
});

test('an update tells what it adds', () => {
  const changed = definitionOf({ map: { type: 'object', format: 'new', additionalProperties: { format: 'values' } } });
  expect(allOf(definitionUpdateWarnings(changed, definition))).toEqual([formatOf('new')]);
});
