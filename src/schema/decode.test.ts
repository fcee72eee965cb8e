import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../api/json/json.ts';
import {
  JsonMembers,
  JsonNumber,
  type JsonSource,
  type JsonTree,
  plainOf,
  plainSource,
} from '../api/json/json-tree.ts';
import { decodeExactly } from './decode-exact.ts';
import { decodeObject, decodePlain } from './decode.ts';
import { encodeJson } from './encode-json.ts';
import { encodeStored } from './encode-stored.ts';
import { schemaByName } from './kubernetes/definitions.ts';
import type { Schema } from './schema.ts';

function schemaNamed(name: string): Schema {
  const schema = schemaByName(name);
  if (schema === undefined) throw new Error(`no schema ${name}`);
  return schema;
}

const pod = schemaNamed('io.k8s.api.core.v1.Pod');
const secret = schemaNamed('io.k8s.api.core.v1.Secret');
const crd = schemaNamed('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition');

/** Members as a list of pairs, to allow duplicates. */
function members(...pairs: readonly [string, JsonTree][]): JsonMembers {
  return new JsonMembers(
    pairs.map(([key]) => key),
    pairs.map(([, value]) => value),
  );
}

function unfaithful(tree: JsonTree): JsonSource {
  return { value: plainOf(tree), faithful: false, tree: () => tree };
}

describe('decodeObject', () => {
  const kept: readonly [string, Schema, JsonObject, JsonObject][] = [
    [
      'drops null and what is empty',
      pod,
      {
        metadata: { name: 'a', labels: {}, creationTimestamp: null },
        spec: { tolerations: [], hostname: '' },
        status: {},
      },
      // What was written empty is noted of the spec.
      { metadata: { name: 'a' }, spec: {} },
    ],
    [
      'keeps empty lists that are always written, and those that are written to reset them',
      pod,
      { spec: { containers: [] }, status: { resourceClaimStatuses: [], podIPs: [] } },
      { spec: { containers: [] }, status: { resourceClaimStatuses: [] } },
    ],
    [
      'keeps the explicit zero of pointers',
      pod,
      { spec: { priority: 0, automountServiceAccountToken: false, securityContext: {}, hostNetwork: false } },
      { spec: { priority: 0, automountServiceAccountToken: false, securityContext: {} } },
    ],
    [
      'writes quantities canonically',
      pod,
      { spec: { overhead: { cpu: '1000m', memory: '1.5Gi', storage: 2, x: null } } },
      { spec: { overhead: { cpu: '1', memory: '1536Mi', storage: '2', x: '0' } } },
    ],
    [
      'writes times canonically',
      pod,
      { metadata: { creationTimestamp: '2020-01-01T01:00:00.5+01:00', deletionTimestamp: null } },
      { metadata: { creationTimestamp: '2020-01-01T00:00:00Z' } },
    ],
    [
      'drops the zero time',
      pod,
      { metadata: { name: 'a', creationTimestamp: '0001-01-01T00:00:00Z' } },
      { metadata: { name: 'a' } },
    ],
    [
      'fills null elements',
      pod,
      { metadata: { labels: { a: null }, finalizers: [null] }, spec: { containers: [null] } },
      { metadata: { labels: { a: '' }, finalizers: [''] }, spec: { containers: [{}] } },
    ],
    [
      'writes base64 canonically',
      secret,
      { data: { a: 'YW\nE=', b: null, c: [97] } },
      { data: { a: 'YWE=', b: '', c: 'YQ==' } },
    ],
    [
      'keeps integers and strings apart',
      pod,
      {
        spec: {
          containers: [{ livenessProbe: { httpGet: { port: 'x' } } }, { livenessProbe: { httpGet: { port: 0 } } }],
        },
      },
      { spec: { containers: [{ livenessProbe: { httpGet: { port: 'x' } } }, { livenessProbe: { httpGet: {} } }] } },
    ],
    [
      'reads unions of schemas',
      crd,
      {
        spec: {
          versions: [
            {
              schema: {
                openAPIV3Schema: {
                  items: { type: 'array', items: [] },
                  additionalProperties: false,
                  dependencies: { a: ['b'], c: { type: 'x' } },
                  default: { z: 1, a: [] },
                },
              },
            },
          ],
        },
      },
      {
        spec: {
          versions: [
            {
              schema: {
                openAPIV3Schema: {
                  items: { type: 'array', items: [] },
                  additionalProperties: false,
                  dependencies: { a: ['b'], c: { type: 'x' } },
                  default: { z: 1, a: [] },
                },
              },
            },
          ],
        },
      },
    ],
  ];
  it.each(kept)('%s', (_, schema, value, expected) => {
    expect(decodePlain(schema, value)).toEqual({ object: expected, strictErrors: [] });
    expect(decodeExactly(schema, plainSource(value).tree())).toEqual({ object: expected, strictErrors: [] });
  });

  it('does not modify its source and shares unchanged parts', () => {
    const value: JsonObject = { metadata: { name: 'a', labels: { b: 'c' } }, spec: { hostname: null } };
    const copy = structuredClone(value);
    const { object } = decodePlain(pod, value);
    expect(value).toEqual(copy);
    expect(object['metadata']).toBe(value['metadata']);
    expect(object).not.toHaveProperty('spec');
  });

  it('keeps __proto__ in maps', () => {
    const labels = JSON.parse('{"__proto__":"x","b":null}') as JsonObject; // JSON.parse returns JSON
    const { object } = decodePlain(pod, { metadata: { labels } });
    expect(encodeJson(pod, object)).toContain('"labels":{"__proto__":"x","b":""}');
  });

  const errors: readonly [Schema, JsonValue, string][] = [
    [
      pod,
      { spec: { containers: 'x' } },
      'json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type []v1.Container',
    ],
    [
      pod,
      { spec: { volumes: [{ hostPath: 'x' }] } },
      'json: cannot unmarshal string into Go struct field Volume.spec.volumes.VolumeSource.hostPath of type v1.HostPathVolumeSource',
    ],
    [
      pod,
      { spec: { priority: 99999999999 } },
      'json: cannot unmarshal number 99999999999 into Go struct field PodSpec.spec.priority of type int32',
    ],
    [
      pod,
      { spec: { priority: 1.5 } },
      'json: cannot unmarshal number 1.5 into Go struct field PodSpec.spec.priority of type int32',
    ],
    [
      pod,
      { metadata: { labels: { a: 1 } } },
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    ],
    [
      pod,
      { metadata: { creationTimestamp: 1 } },
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string',
    ],
    [
      pod,
      { metadata: { creationTimestamp: 'x' } },
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ],
    [
      pod,
      { spec: { containers: [{ resources: { limits: { cpu: {} } } }] } },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      pod,
      { spec: { containers: [{ livenessProbe: { httpGet: { port: true } } }] } },
      'json: cannot unmarshal bool into Go struct field HTTPGetAction.spec.containers.livenessProbe.ProbeHandler.httpGet.port of type int32',
    ],
    [secret, { data: { a: '!!!' } }, 'illegal base64 data at input byte 0'],
    [secret, { data: { a: 1 } }, 'json: cannot unmarshal number into Go struct field Secret.data of type []uint8'],
    [
      secret,
      { immutable: 'x', data: { a: '!' } },
      'json: cannot unmarshal string into Go struct field Secret.immutable of type bool',
    ],
    [
      pod,
      { spec: { priority: 'x' }, metadata: { creationTimestamp: 'x' } },
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ],
    [pod, 'x', 'json: cannot unmarshal string into Go value of type v1.Pod'],
  ];
  it.each(errors)('%# is refused', (schema, value, message) => {
    expect(() => decodePlain(schema, value)).toThrow(message);
  });

  it('reports unknown and duplicate fields in the order in which they occur', () => {
    const tree = members(
      ['spec', members(['foo', null], ['hostname', 'a'], ['hostname', 'b'])],
      ['spec', members(['containers', [members(['x"', true])]])],
      ['metadata', members(['labels', members(['a', '1'], ['a', '2'])])],
    );
    expect(decodeObject(pod, unfaithful(tree))).toEqual({
      object: { spec: { hostname: 'b', containers: [{}] }, metadata: { labels: { a: '2' } } },
      strictErrors: [
        'unknown field "spec.foo"',
        'duplicate field "spec.hostname"',
        'duplicate field "spec"',
        'unknown field "spec.containers[0].x\\""',
        'duplicate field "metadata.labels.a"',
      ],
    });
  });

  it('reports each strict error once and at most a hundred', () => {
    const keys = Array.from({ length: 150 }, (_, i): [string, JsonTree] => [`x${i >> 1}`, null]);
    const more = Array.from({ length: 60 }, (_, i): [string, JsonTree] => [`y${i}`, null]);
    expect(decodeObject(pod, unfaithful(members(...keys, ...more))).strictErrors).toHaveLength(100);
    expect(decodeObject(pod, unfaithful(members(...keys))).strictErrors).toHaveLength(75);
  });

  it('distinguishes number spellings', () => {
    const of = (text: string): JsonSource => unfaithful(members(['spec', members(['priority', new JsonNumber(text)])]));
    expect(decodeObject(pod, of('-0')).object).toEqual({ spec: { priority: 0 } });
    expect(() => decodeObject(pod, of('1.0'))).toThrow('number 1.0 into');
    expect(() => decodeObject(pod, of('1e3'))).toThrow('number 1e3 into');
    const grace = members(['terminationGracePeriodSeconds', new JsonNumber('9223372036854775807')]);
    expect(decodeObject(pod, unfaithful(members(['spec', grace]))).object).toEqual({
      spec: { terminationGracePeriodSeconds: 9223372036854775807n },
    });
  });
});

describe('encodeJson', () => {
  it('writes fields in wire order, including those that Go always writes', () => {
    expect(encodeJson(pod, {})).toBe('{"metadata":{},"spec":{"containers":null},"status":{}}');
    expect(
      encodeJson(pod, {
        spec: { containers: [{ image: 'b', name: 'a' }] },
        metadata: { labels: { b: '<', a: '' } },
        apiVersion: 'v1',
        kind: 'Pod',
      }),
    ).toBe(
      '{"kind":"Pod","apiVersion":"v1","metadata":{"labels":{"a":"","b":"\\u003c"}},"spec":{"containers":[{"name":"a","image":"b","resources":{}}]},"status":{}}',
    );
  });

  it('omits the resourceVersion of stored objects', () => {
    const metadata = { uid: 'u', name: 'a', resourceVersion: '1', generation: 2 };
    const bytes = encodeStored(secret, { kind: 'Secret', apiVersion: 'v1', metadata });
    expect(bytes.toString()).toBe(
      '{"kind":"Secret","apiVersion":"v1","metadata":{"name":"a","uid":"u","generation":2}}',
    );
  });
});

const scalars = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.string(),
  fc.constantFrom('1Gi', '2020-01-01T00:00:00Z', 'YQ=='),
);
const podSpecs = fc.record(
  {
    hostname: scalars,
    priority: scalars,
    containers: fc.oneof(
      scalars,
      // Absent ones are written as null.
      fc.array(fc.record({ name: scalars, args: fc.array(fc.string()), stdin: scalars }, { requiredKeys: [] }), {
        minLength: 1,
      }),
    ),
    overhead: fc.oneof(scalars, fc.dictionary(fc.string(), scalars)),
    nodeSelector: fc.oneof(scalars, fc.dictionary(fc.string(), fc.string())),
    unknown: scalars,
  },
  { requiredKeys: [] },
);

function isEmpty(value: JsonValue | undefined): boolean {
  return value !== undefined && Object.keys(value as JsonObject).length === 0;
}

describe('the two decoders', () => {
  it('agree on every document', () => {
    fc.assert(
      fc.property(podSpecs, (spec) => {
        const source = plainSource({ spec } as JsonObject); // the arbitraries generate JSON
        const outcome = (decode: () => unknown): unknown => {
          try {
            return decode();
          } catch (error) {
            return String(error);
          }
        };
        expect(outcome(() => decodeObject(pod, source))).toEqual(outcome(() => decodeExactly(pod, source.tree())));
      }),
      { numRuns: 500 },
    );
  });

  it('decode what the encoder writes', () => {
    fc.assert(
      fc.property(podSpecs, (spec) => {
        const { unknown: _, ...known } = spec;
        let object: JsonObject;
        try {
          object = decodePlain(pod, { spec: known } as JsonObject).object; // the arbitraries generate JSON
        } catch {
          return;
        }
        const text = encodeJson(pod, object);
        const again = decodePlain(pod, JSON.parse(text) as JsonObject).object; // JSON.parse returns JSON
        // A spec in which only empty values were written is kept for these notes, and not written.
        expect(again).toEqual(isEmpty(object['spec']) ? {} : object);
        expect(encodeJson(pod, again)).toBe(text);
      }),
    );
  });
});
