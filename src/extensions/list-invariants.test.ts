import { expect, it } from 'vitest';
import { fieldErrorText } from '../api/errors/field-error.ts';
import { parseJson } from '../codec/json.ts';
import { customSchema } from '../schema/custom/custom-schema.ts';
import { decodeObject } from '../schema/decode.ts';
import { listInvariants } from './list-invariants.ts';

const schema = customSchema(
  {
    type: 'object',
    properties: { set: { type: 'array', items: { type: 'number' }, 'x-kubernetes-list-type': 'set' } },
  },
  { type: 'object', goType: 'v1.ObjectMeta', name: 'meta' },
);

function problemsOf(set: string): readonly string[] {
  const { object } = decodeObject(schema, parseJson(Buffer.from(`{"set":${set}}`)));
  return [...listInvariants(schema, object, '')].map(fieldErrorText);
}

it.each([
  ['[0, -0]', ['set[1]: Duplicate value: 0']],
  ['[0.0, -0.0]', ['set[1]: Duplicate value: -0']],
  ['[-0.0, 0.0]', ['set[1]: Duplicate value: 0']],
  ['[-0.0, 0]', []],
  ['[1, 1.0]', []],
])('a set of %s', (set, problems) => {
  expect(problemsOf(set)).toEqual(problems);
});
