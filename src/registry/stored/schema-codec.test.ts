import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { builtInResources } from '../../schema/kubernetes/resources.ts';
import { schemaCodec } from './schema-codec.ts';

const resource = builtInResources().find(
  ({ kind, version }) => kind === 'CustomResourceDefinition' && version === 'v1',
);
if (resource === undefined) throw new Error('definitions are built in');
const codec = schemaCodec(resource);

const text = (spec: string, status: string): string =>
  `{"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1","metadata":{"name":"as.b.c","generation":1},"spec":${spec},"status":${status}}`;
const names = '{"plural":"as","kind":"A"}';
const none = '{"conditions":null,"acceptedNames":{"plural":"","kind":""},"storedVersions":null}';
const accepted = `{"conditions":null,"acceptedNames":${names},"storedVersions":null}`;

describe('a status of an object that was read', () => {
  // What an earlier release may have stored: it is neither read nor written as we would write it.
  const spec = `{"group":"b.c","names":${names},"scope":"Namespaced","versions":[]}`;
  const bytes = Buffer.from(text(spec, none));
  const read = codec.decode({ value: bytes, modRevision: 5 }, 'change');
  const status = { acceptedNames: { plural: 'as', kind: 'A' } };
  const written = async (object: KubernetesObject): Promise<string> =>
    codec.encode(object, { object: read, bytes }).toString();

  test('is written around the bytes of what it shares', async () => {
    expect(await written({ ...read, status })).toBe(text(spec, accepted));
  });

  test('is written with what differs, even if it looks the same', async () => {
    const anew = spec.replace('[]', 'null');
    expect(await written({ ...read, status, spec: { ...(read['spec'] as object) } })).toBe(text(anew, accepted));
  });

  test('is written as a whole if the object has been changed by its decoder', async () => {
    const other = Buffer.from(text(`{"unknown":1,${spec.slice(1)}`, none));
    const object = codec.decode({ value: other, modRevision: 5 }, 'change');
    const whole = codec.encode({ ...object, status }, { object, bytes: other });
    expect(whole.toString()).toBe(text(spec.replace('[]', 'null'), accepted));
  });
});
