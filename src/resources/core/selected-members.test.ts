import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { attributeReader } from '../../registry/read/selection.ts';
import type { Strategy } from '../../registry/kinds/strategy.ts';
import { eventStrategy } from './event/strategy.ts';
import { podStrategy as podStrategyIn } from './pod/strategy.ts';

const podStrategy = podStrategyIn({ featureGates: new Map() });

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
          volumes: [{ name: 'nodeName' }],
          restartPolicy: 'Always',
          serviceAccountName: 's',
          nodeName: 'node-1',
          hostNetwork: true,
          schedulerName: 'default-scheduler',
        },
        status: {
          phase: 'Running',
          podIP: '10.0.0.1',
          podIPs: [{ ip: '10.0.0.2' }],
          nominatedNodeName: 'node-2',
          conditions: [
            {
              type: 'Ready',
              message: 'phase',
            },
          ],
        },
      },
    ],
    [
      'an event',
      eventStrategy as Strategy,
      {
        ...event,
        involvedObject: {
          kind: 'Pod',
          namespace: 'n',
          name: 'a',
          uid: 'u',
          apiVersion: 'v1',
          resourceVersion: '1',
          fieldPath: 'spec',
        },
        reason: 'Started',
        message: 'm',
        source: { component: 'kubelet' },
        type: 'Normal',
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
