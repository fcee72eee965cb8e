import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../api/json/json.ts';
import { schemaCodec } from './schema-codec.ts';
import { builtInResources } from '../../schema/kubernetes/resources.ts';

function stored(kind: string, fields: JsonObject): JsonObject {
  const resource = builtInResources().find((each) => each.kind === kind);
  if (resource === undefined) throw new Error(`no kind ${kind}`);
  const { apiVersion, metadata, ...rest } = { apiVersion: '', metadata: {}, ...fields };
  const value = Buffer.from(JSON.stringify({ kind, apiVersion, metadata, ...rest }));
  // Objects are JSON-shaped.
  return schemaCodec(resource).decode({ value, modRevision: 1 }) as unknown as JsonObject;
}

describe('stored nulls', () => {
  it('are the zero time where a field is omitted when absent', () => {
    const zero = '0001-01-01T00:00:00Z';
    expect(stored('Job', { status: { startTime: null, active: 1 } })['status']).toEqual({ startTime: zero, active: 1 });
    expect(stored('Job', { status: { completionTime: null } })['status']).toEqual({ completionTime: zero });
    expect(stored('Lease', { spec: { renewTime: null } })['spec']).toEqual({
      renewTime: '0001-01-01T00:00:00.000000Z',
    });
  });

  it('are the zero time within lists and templates', () => {
    const taints = [
      { key: 'a', effect: 'NoExecute', timeAdded: null },
      { key: 'b', effect: 'NoExecute' },
    ];
    expect(stored('Node', { spec: { taints } })['spec']).toEqual({
      taints: [
        { key: 'a', effect: 'NoExecute', timeAdded: '0001-01-01T00:00:00Z' },
        { key: 'b', effect: 'NoExecute' },
      ],
    });
    expect(stored('PodTemplate', { template: { metadata: { deletionTimestamp: null } } })['template']).toEqual({
      metadata: { deletionTimestamp: '0001-01-01T00:00:00Z' },
    });
  });

  it('are absent where a field is always written', () => {
    const conditions = [{ type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: null }];
    expect(stored('Pod', { status: { conditions } })['status']).toEqual({
      conditions: [{ type: 'Ready', status: 'True' }],
    });
  });
});
