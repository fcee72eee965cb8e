import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../api/object.ts';
import { eventStrategy } from '../resources/core/event/strategy.ts';
import { podStrategy } from '../resources/core/pod/strategy.ts';
import { attributeReader } from './selection.ts';
import type { Strategy } from './strategy.ts';

const read = attributeReader({
  selectableFields: { 'spec.count': (object) => String((object['spec'] as unknown as Spec).count) },
});

interface Spec {
  readonly count: number | bigint;
}

const ordinary = { name: 'a', namespace: 'n', uid: 'u' };

test.each([
  ['none', ordinary, {}],
  ['some', { ...ordinary, labels: { app: 'web', b: '' } }, { app: 'web', b: '' }],
  ['escaped ones', { labels: { 'a"b': 'c\\d', e: '\u00fc' }, ...ordinary }, { 'a"b': 'c\\d', e: '\u00fc' }],
  [
    'those after other fields',
    { ...ordinary, annotations: { labels: '{"labels":{}}' }, labels: { a: 'b' } },
    { a: 'b' },
  ],
])('labels are read from the metadata: %s', (_, metadata, labels) => {
  for (const object of [
    { kind: 'A', apiVersion: 'v1', metadata, spec: { count: 1 } },
    { apiVersion: 'v1', kind: 'A', spec: { labels: {}, count: 1 }, metadata },
  ]) {
    const attributes = read(Buffer.from(JSON.stringify(object)));
    expect(attributes.labels).toEqual(labels);
    expect(attributes.fields).toEqual({
      ...{ 'metadata.name': 'a', 'metadata.namespace': 'n', 'metadata.uid': 'u' },
      'spec.count': '1',
    });
  }
});

test('integers in fields of a kind are exact', () => {
  const text = '{"kind":"A","apiVersion":"v1","metadata":{"name":"a"},"spec":{"count":9007199254740993}}';
  const { fields } = read(Buffer.from(text));
  expect(fields).toEqual({
    ...{ 'metadata.name': 'a', 'metadata.namespace': '', 'metadata.uid': '' },
    'spec.count': '9007199254740993',
  });
});

describe('fields of kinds that tell where they look', () => {
  const metadata = { name: 'a', namespace: 'n', uid: 'u', managedFields: [{ fieldsV1: { 'f:spec': {} } }] };
  const pod = { kind: 'Pod', apiVersion: 'v1', metadata };
  const event = { kind: 'Event', apiVersion: 'v1', metadata };
  test.each<[string, Strategy, object]>([
    ['a pod', podStrategy as Strategy, { ...pod, spec: { containers: [{ name: 'c' }] } }],
    [
      'a running pod',
      podStrategy as Strategy,
      {
        ...pod,
        spec: {
          ...{ volumes: [{ name: 'nodeName' }], restartPolicy: 'Always', serviceAccountName: 's', nodeName: 'node-1' },
          ...{ hostNetwork: true, schedulerName: 'default-scheduler' },
        },
        status: {
          ...{ phase: 'Running', podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.2' }], nominatedNodeName: 'node-2' },
          conditions: [{ type: 'Ready', message: 'phase' }],
        },
      },
    ],
    [
      'an event',
      eventStrategy as Strategy,
      {
        ...event,
        involvedObject: {
          ...{ kind: 'Pod', namespace: 'n', name: 'a', uid: 'u', apiVersion: 'v1', resourceVersion: '1' },
          fieldPath: 'spec',
        },
        ...{ reason: 'Started', message: 'm', source: { component: 'kubelet' }, type: 'Normal' },
      },
    ],
    ['an event of a controller', eventStrategy as Strategy, { ...event, source: {}, reportingComponent: 'c' }],
  ])('are those of the whole object: %s', (_, strategy, object) => {
    const { selectedMembers, ...parsing } = strategy;
    const bytes = Buffer.from(JSON.stringify(object));
    expect(selectedMembers).toBeDefined();
    expect(attributeReader(strategy)(bytes).fields).toEqual(attributeReader(parsing)(bytes).fields);
  });

  test('every field looks at members that are named', () => {
    for (const { selectableFields = {}, selectedMembers = [] } of [podStrategy, eventStrategy] as Strategy[]) {
      const looked = new Set<string>();
      const watched = (path: string): object =>
        new Proxy(
          {},
          {
            get: (_, name) => {
              const inner = path === '' ? String(name) : `${path}.${String(name)}`;
              looked.add(inner);
              return path === '' && /^(?:spec|status|involvedObject|source)$/.test(inner) ? watched(inner) : undefined;
            },
          },
        );
      for (const read of Object.values(selectableFields)) read(watched('') as KubernetesObject);
      const isNamed = (path: string): boolean =>
        selectedMembers.some((each) => each === path || path.startsWith(`${each}.`) || each.startsWith(`${path}.`));
      expect([...looked].filter((path) => !isNamed(path))).toEqual([]);
    }
  });
});
