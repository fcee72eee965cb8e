import { expect, test } from 'vitest';
import type { JsonObject } from '../api/json/json.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { applyDefaults } from './default.ts';
import type { Defaulters } from './defaulters.ts';
import { builtInResources } from './kubernetes/resources.ts';

const defaulters: Defaulters = {
  'io.k8s.api.core.v1.Container': (container) => {
    container['image'] ??= 'default';
  },
  'io.k8s.api.core.v1.ContainerPort': (port) => {
    port['hostIP'] ??= '127.0.0.1';
  },
};

const schema = builtInResources().find(({ kind, group }) => kind === 'Pod' && group === '')?.schema;

function podOf(containers: number, ports: number): KubernetesObject {
  const list = Array.from({ length: containers }, () => ({ ports: Array.from({ length: ports }, () => ({})) }));
  return { apiVersion: 'v1', kind: 'Pod', metadata: {}, spec: { containers: list } };
}

test.each([
  { containers: 2, ports: 2 },
  { containers: 700, ports: 1 },
  { containers: 1, ports: 700 },
  { containers: 30, ports: 600 },
])('every item of $containers lists of $ports gets its defaults', ({ containers, ports }) => {
  const pod = podOf(containers, ports);
  if (schema === undefined) throw new Error('there are no pods');
  applyDefaults(schema, pod, defaulters);
  const expected = {
    image: 'default',
    ports: Array.from({ length: ports }, () => ({ hostIP: '127.0.0.1', protocol: 'TCP' })),
  };
  const made = (pod['spec'] as JsonObject)['containers'] as JsonObject[];
  expect(made).toEqual(Array.from({ length: containers }, () => expected));
});
