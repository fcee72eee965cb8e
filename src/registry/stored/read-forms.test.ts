import { expect, test } from 'vitest';
import { builtInResources } from '../../schema/kubernetes/resources.ts';
import { readForm } from './read-forms.ts';
import { schemaCodec } from './schema-codec.ts';
import type { DecodedFor } from './stored-object.ts';

const resource = builtInResources().find(({ kind, version }) => kind === 'Role' && version === 'v1');
if (resource === undefined) throw new Error('roles are built in');
const codec = schemaCodec(resource);

function formOf(stored: string, purpose: DecodedFor = 'change'): string | undefined {
  const form = readForm(codec.decode({ value: Buffer.from(stored), modRevision: 7 }, purpose));
  return form === undefined ? undefined : JSON.stringify(form);
}

const head = '{"kind":"Role","apiVersion":"rbac.authorization.k8s.io/v1","metadata":';

test('a stored object has its read form, with zero values and its version in place', () => {
  expect(formOf(`${head}{"name":"a","uid":"u","generation":1},"rules":null}`)).toBe(
    `${head}{"name":"a","uid":"u","resourceVersion":"7","generation":1},"rules":null}`,
  );
});

test('one that is only read has none', () => {
  expect(formOf(`${head}{"name":"a"},"rules":null}`, 'reading')).toBeUndefined();
});

test.each([
  ['unknown fields', `${head}{"name":"a"},"rules":null,"other":1}`],
  ['fields twice', `${head}{"name":"a"},"rules":null,"rules":null}`],
  ['another version', `${head.replace('/v1', '/v1beta1')}{"name":"a"},"rules":null}`],
])('one with %s is formed anew', (_, stored) => {
  expect(formOf(stored)).toBeUndefined();
});
