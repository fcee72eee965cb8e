import { expect, test } from 'vitest';
import type { Endpoint } from '../../schema/kubernetes/generated/types/discovery-v1.ts';
import { planGroup, type PlanOptions, type StoredSlice } from './slice-plan.ts';

const options: PlanOptions = {
  make: () => slice('', []),
  relabel: ({ metadata }) => (metadata.labels?.['old'] === 'yes' ? {} : undefined),
  mostEndpoints: 3,
};

function endpoints(...names: readonly string[]): Endpoint[] {
  return names.map((name) => ({ addresses: [name], conditions: { ready: true } }));
}

function slice(name: string, list: readonly Endpoint[], labels = {}): StoredSlice {
  return { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { name, labels }, endpoints: [...list] };
}

/** `create a b, update x: c, delete y` */
function planned(existing: readonly StoredSlice[], wanted: readonly Endpoint[]): readonly string[] {
  const plan = planGroup(existing, { ports: [], endpoints: wanted }, options);
  const shown = ({ metadata, endpoints: list = [] }: StoredSlice): string =>
    `${metadata.name ?? ''}: ${list.flatMap(({ addresses = [] }) => addresses).join(' ')}`;
  return [
    ...plan.create.map((each) => `create ${shown(each)}`),
    ...plan.update.map((each) => `update ${shown(each)}`),
    ...plan.delete.map(({ metadata }) => `delete ${metadata.name}`),
  ];
}

test('what is as it should be is left alone', () => {
  expect(planned([slice('x', endpoints('a', 'b'))], endpoints('b', 'a'))).toEqual([]);
});

test('new slices are filled', () => {
  expect(planned([], endpoints('a', 'b', 'c', 'd'))).toEqual(['create : a b c', 'create : d']);
});

test('those that are gone leave their slice; an empty slice is deleted', () => {
  const existing = [slice('x', endpoints('a', 'b')), slice('y', endpoints('c'))];
  expect(planned(existing, endpoints('a'))).toEqual(['update x: a', 'delete y']);
});

test('new ones fill slices that are written anyway, the fullest first', () => {
  const existing = [slice('x', endpoints('a', 'gone')), slice('y', endpoints('b', 'c', 'gone too'))];
  expect(planned(existing, endpoints('a', 'b', 'c', 'n'))).toEqual(['update x: a', 'update y: b c n']);
});

test('what is left goes into the unchanged slice that it fills best', () => {
  const existing = [slice('x', endpoints('a')), slice('y', endpoints('b', 'c')), slice('z', endpoints('d', 'e', 'f'))];
  expect(planned(existing, endpoints('a', 'b', 'c', 'd', 'e', 'f', 'n'))).toEqual(['update y: b c n']);
  expect(planned(existing, endpoints('a', 'b', 'c', 'd', 'e', 'f', 'n', 'o'))).toEqual(['update x: a n o']);
});

test('an endpoint that has changed is written where it is, and so are labels', () => {
  const changed = { addresses: ['a'], conditions: { ready: false } };
  expect(planned([slice('x', endpoints('a', 'b'))], [changed, ...endpoints('b')])).toEqual(['update x: a b']);
  expect(planned([slice('x', endpoints('a'), { old: 'yes' })], endpoints('a'))).toEqual(['update x: a']);
});
