import { describe, expect, it } from 'vitest';
import { schemaByName } from '../schema/kubernetes/definitions.ts';
import type { Schema } from '../schema/schema.ts';
import { withoutUnreadableMetadata } from './applied-metadata.ts';
import type { ServedKind } from './resource-scope.ts';

const metadata = schemaByName('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta') as Schema; // It is known.
const pod = schemaByName('io.k8s.api.core.v1.Pod') as Schema;
const kind = (schema: Schema): ServedKind =>
  ({ group: 'example.com', version: 'v1', kind: 'Widget', schema }) as ServedKind;
const field = { ...pod.structure?.fields.get('metadata'), schema: metadata } as never;
const custom = kind({ ...pod, definition: {}, structure: { goName: '', fields: new Map([['metadata', field]]) } });

describe('withoutUnreadableMetadata', () => {
  it('drops what the server replaces', () => {
    const given = { name: 'a', generation: 1.5, creationTimestamp: 'x', managedFields: [{ time: 'y' }] };
    expect(withoutUnreadableMetadata(custom, { metadata: given })).toEqual({
      object: { metadata: { name: 'a' } },
      broken: undefined,
    });
  });

  it('tells what an object that exists may not have', () => {
    const given = { name: 'a', generation: 1.5, deletionGracePeriodSeconds: 1.5 };
    expect(withoutUnreadableMetadata(custom, { metadata: given })).toEqual({
      object: { metadata: { name: 'a' } },
      broken: {
        metadata: { name: 'a', deletionGracePeriodSeconds: 1.5 },
        problem: 'cannot convert float64 to int64',
      },
    });
  });

  it('has nothing to do for other kinds and other fields', () => {
    expect(withoutUnreadableMetadata(kind(pod), { metadata: { generation: 1.5 } })).toBeUndefined();
    expect(withoutUnreadableMetadata(custom, { metadata: { name: 'a', generation: 2 } })).toBeUndefined();
  });
});
