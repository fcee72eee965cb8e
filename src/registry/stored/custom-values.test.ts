import { expect, it } from 'vitest';
import { customSchema } from '../../schema/custom/custom-schema.ts';
import { schemaByName } from '../../schema/kubernetes/definitions.ts';
import type { Resource } from '../../schema/resource.ts';
import { customValues } from './custom-values.ts';
import { schemaCodec } from './schema-codec.ts';

const metadata = schemaByName('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
if (metadata === undefined) throw new Error('there are no metadata');
const schema = customSchema({ type: 'object', properties: { size: { type: 'integer' } } }, metadata);
const text = '{"apiVersion":"example.com/v1","kind":"Ship","metadata":{"name":"one"},"size":3}';
const selfDescribed = 'd9d9f7';

it('values are written in one encoding and read in both', () => {
  const [json, cbor] = [customValues('json')({ schema }), customValues('cbor')({ schema })];
  const written = cbor.write(Buffer.from(text));
  expect(Buffer.from(written).toString('hex', 0, 3)).toBe(selfDescribed);
  expect(Buffer.from(json.write(Buffer.from(text))).toString()).toBe(text);
  for (const [values, value, stale] of [
    [json, Buffer.from(`${text}\n`), false],
    [json, written, true],
    [cbor, Buffer.from(text), true],
    [cbor, written, false],
  ] as const) {
    const read = values.read(value);
    expect(Buffer.from(read.value).toString()).toBe(text);
    expect(read.stale ?? false).toBe(stale);
  }
});

it('metadata that nobody could have written are left out, and no generation is the first', () => {
  const parts = { plural: 'ships', singular: 'ship', listKind: 'ShipList', shortNames: [], categories: [] };
  const resource: Resource = {
    ...parts,
    group: 'example.com',
    version: 'v1',
    kind: 'Ship',
    namespaced: true,
    verbs: [],
    subresources: [],
    schema,
  };
  const odd = { name: 'one', annotations: { a: 42 }, labels: { b: 'x y' }, unknown: 1 };
  const value = Buffer.from(JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Ship', metadata: odd, size: 3 }));
  const { metadata: read, ...rest } = schemaCodec(resource).decode({ value, modRevision: 7 });
  expect(read).toEqual({ name: 'one', labels: { b: 'x y' }, generation: 1, resourceVersion: '7' });
  expect(rest).toEqual({ apiVersion: 'example.com/v1', kind: 'Ship', size: 3 });
});
