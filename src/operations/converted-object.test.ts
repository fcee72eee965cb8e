import { expect, test } from 'vitest';
import type { JsonObject } from '../api/json/json.ts';
import { builtInResources } from '../schema/kubernetes/resources.ts';
import { convertedObject } from './converted-object.ts';

function served(plural: string) {
  const found = builtInResources().find((resource) => resource.plural === plural && resource.version === 'v1');
  if (found === undefined) throw new Error(`no ${plural}`);
  return found;
}

function definitionWith(schema: JsonObject): JsonObject {
  return { spec: { versions: [{ schema: { openAPIV3Schema: schema } }] } };
}

test.each<readonly [string, JsonObject, string]>([
  ['horizontalpodautoscalers', { spec: { minReplicas: 1.5 } }, 'cannot convert float64 to int32'],
  [
    'horizontalpodautoscalers',
    { metadata: { deletionTimestamp: false } },
    'json: cannot unmarshal bool into Go value of type string',
  ],
  [
    'customresourcedefinitions',
    definitionWith({ items: { maxLength: [] } }),
    'json: cannot unmarshal array into Go struct field JSONSchemaProps.maxLength of type int64',
  ],
])('%s: values of other types are reported like in the reference', (plural, object, message) => {
  expect(() => convertedObject(served(plural), object, 'failed')).toThrow(message);
});

test('integers wrap around', () => {
  const converted = convertedObject(
    served('horizontalpodautoscalers'),
    { spec: { minReplicas: 4_294_967_297 } },
    'failed',
  );
  expect(converted).toMatchObject({ spec: { minReplicas: 1 } });
});
