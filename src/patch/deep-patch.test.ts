import { expect, it } from 'vitest';
import type { JsonObject } from '../api/json/json.ts';
import { StatusError } from '../api/errors/status.ts';
import { schemaByName } from '../schema/kubernetes/definitions.ts';
import type { Schema } from '../schema/schema.ts';
import { applyPatch, type PatchedObject, type PatchRequest, readPatch } from './apply-patch.ts';

// Bodies of 10,000 levels, the most that the reference takes. Recursion would end at a tenth of that.

const schema = schemaByName('io.k8s.api.core.v1.ConfigMap') as Schema; // in the table
const configMap: JsonObject = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'c' }, data: { x: '1' } };

function patch(
  format: PatchRequest['format'],
  body: string,
  fieldValidation: PatchRequest['fieldValidation'] = 'Warn',
): PatchedObject {
  const source = readPatch(Buffer.from(body));
  const expected = { group: '', version: 'v1', kind: 'ConfigMap' };
  return applyPatch(configMap, { name: 'c', format, source, fieldValidation, expected, schema }).decode(undefined);
}

function refusal(run: () => unknown): { code: number; message: string | undefined } {
  try {
    run();
  } catch (error) {
    if (error instanceof StatusError) return { code: error.status.code, message: error.status.message };
    throw error;
  }
  throw new Error('not refused');
}

const lists = (levels: number): string => '['.repeat(levels) + '1' + ']'.repeat(levels);
const objects = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
const printedLists = lists;
const printedObjects = (levels: number): string => 'map[a:'.repeat(levels) + '1' + ']'.repeat(levels);

const bodies: { readonly [format in PatchRequest['format']]: (value: string) => string } = {
  json: (value) => `[{"op":"add","path":"/z","value":${value}}]`,
  merge: (value) => `{"z":${value}}`,
  strategic: (value) => `{"z":${value}}`,
};
const levelsAround = { json: 2, merge: 1, strategic: 1 };

const cases = (['json', 'merge', 'strategic'] as const).flatMap((format) =>
  [lists, objects].map((nested) => ({ format, nested, kind: nested.name })),
);

it.each(cases)('$kind in an unknown field of a $format patch are dropped', ({ format, nested }) => {
  const { object, warnings } = patch(format, bodies[format](nested(10_000 - levelsAround[format])));
  expect(object).toEqual(configMap);
  expect(warnings).toEqual(['unknown field "z"']);
});

it.each(cases)('$kind of more levels in a $format patch are no JSON', ({ format, nested }) => {
  const body = bodies[format](nested(10_001 - levelsAround[format]));
  expect(refusal(() => patch(format, body))).toEqual({ code: 400, message: 'invalid JSON patch' });
});

it.each([
  { nested: lists, shown: lists },
  { nested: objects, shown: objects },
])('a strict refusal shows the whole result', ({ nested, shown }) => {
  const text = `{"apiVersion":"v1","data":{"x":"1"},"kind":"ConfigMap","metadata":{"name":"c"},"z":${shown(9_000)}}`;
  const message = ` "" is invalid: patch: Invalid value: ${JSON.stringify(text)}: strict decoding error: unknown field "z"`;
  for (const format of ['json', 'merge'] as const) {
    expect(refusal(() => patch(format, bodies[format](nested(9_000)), 'Strict'))).toEqual({ code: 422, message });
  }
});

it.each([
  { nested: lists, shown: printedLists },
  { nested: objects, shown: printedObjects },
])('a strategic patch of a wrong type is shown whole', ({ nested, shown }) => {
  const value = `map[data:map[x:${shown(9_000)}]]`;
  const message = ` "" is invalid: patch: Invalid value: "${value}": unrecognized type: string`;
  const body = `{"data":{"x":${nested(9_000)}}}`;
  expect(refusal(() => patch('strategic', body))).toEqual({ code: 422, message });
});

it('deep values are copied, compared and removed', () => {
  const add = `{"op":"add","path":"/z","value":${objects(9_000)}}`;
  const copy = '{"op":"copy","from":"/z","path":"/y"}';
  const test = `{"op":"test","path":"/y","value":${objects(9_000)}}`;
  const remove = ['z', 'y'].map((name) => `{"op":"remove","path":"/${name}"}`).join(',');
  const { object, warnings } = patch('json', `[${add},${copy},${test},${remove}]`);
  expect(object).toEqual(configMap);
  expect(warnings).toEqual([]);
  const other = `{"op":"test","path":"/z","value":${objects(8_999)}}`;
  const untold = 'the server rejected our request due to an error in our request';
  expect(refusal(() => patch('json', `[${add},${other}]`))).toEqual({ code: 422, message: untold });
});

it('duplicates are found at any depth', () => {
  const deep = `${'{"a":'.repeat(9_000)}{"b":1,"b":2}${'}'.repeat(9_000)}`;
  const warning = `duplicate field "z${'.a'.repeat(9_000)}.b"`;
  expect(patch('merge', `{"z":${deep}}`).warnings).toEqual([warning, 'unknown field "z"']);
});

it('nulls and directives are found at any depth', () => {
  const deep = `{"z":${'[{"a":'.repeat(4_000)}{"b":null,"c":{"$patch":"delete"},"d":1}${'}]'.repeat(4_000)}}`;
  expect(patch('strategic', deep).object).toEqual(configMap);
  const shown = `map[z:${'[map[a:'.repeat(4_000)}map[d:1]${']]'.repeat(4_000)}]`;
  const { message = '' } = refusal(() => patch('strategic', deep, 'Strict'));
  expect(message).toBe(` "" is invalid: patch: Invalid value: "${shown}": strict decoding error: unknown field "z"`);
});
