import { expect, test } from 'vitest';
import type { OwnerReference } from '../../api/meta/object.ts';
import { AbsentOwners } from './owner-identity.ts';
import type { OwnedNode } from './owned-node.ts';
import { OwnershipGraph } from './ownership-graph.ts';

function reference(uid: string, more: Partial<OwnerReference> = {}): OwnerReference {
  return { apiVersion: 'v1', kind: 'ConfigMap', name: `name-of-${uid}`, uid, ...more };
}

function node(uid: string, more: Partial<OwnedNode> = {}): OwnedNode {
  const place = { resource: 'secrets.', namespace: 'harbor', name: uid, resourceVersion: '1' };
  return { uid, ...place, owners: [], isDeleting: false, policy: undefined, ...more };
}

function graphOf(...nodes: readonly OwnedNode[]): OwnershipGraph {
  const graph = new OwnershipGraph();
  for (const each of nodes) graph.set(each);
  return graph;
}

const dependents = (graph: OwnershipGraph, uid: string): string[] =>
  [...graph.dependentsOf(uid)].map((dependent) => dependent.uid);

test('dependents are known by their owner, whether that has a node or not', () => {
  const graph = graphOf(
    node('a', { owners: [reference('o')] }),
    node('b', { owners: [reference('o'), reference('a')] }),
  );
  expect(dependents(graph, 'o')).toEqual(['a', 'b']);
  expect(dependents(graph, 'a')).toEqual(['b']);
});

test('they are known no longer when their references change, or when they are gone', () => {
  const graph = graphOf(node('a', { owners: [reference('o')] }), node('b', { owners: [reference('o')] }));
  graph.set(node('a', { owners: [reference('p')] }));
  expect(dependents(graph, 'o')).toEqual(['b']);
  graph.delete('b');
  expect(dependents(graph, 'o')).toEqual([]);
  expect(dependents(graph, 'p')).toEqual(['a']);
});

test('the dependents of a node that is gone stay', () => {
  const graph = graphOf(node('a', { owners: [reference('o')] }), node('b', { owners: [reference('a')] }));
  graph.delete('a');
  expect(dependents(graph, 'a')).toEqual(['b']);
});

test.each([
  {
    what: 'the start of a foreground deletion concerns the dependents and then the owner',
    before: node('o', { owners: [reference('x')] }),
    after: node('o', { owners: [reference('x')], isDeleting: true, policy: 'Foreground' }),
    expected: ['a', 'b', 'o'],
  },
  {
    what: 'that of an orphaning deletion the owner alone',
    before: node('o', { owners: [reference('x')] }),
    after: node('o', { owners: [reference('x')], isDeleting: true, policy: 'Orphan' }),
    expected: ['o'],
  },
  {
    what: 'its end the dependents that are left',
    before: node('o', { isDeleting: true, policy: 'Orphan' }),
    after: node('o', { isDeleting: true }),
    expected: ['a', 'b'],
  },
  {
    what: 'finalizers alone change nothing',
    before: node('o'),
    after: node('o', { policy: 'Foreground' }),
    expected: [],
  },
  {
    what: 'an owner that is blocked no longer is concerned',
    before: node('o', { owners: [reference('x', { blockOwnerDeletion: true })] }),
    after: node('o', { owners: [reference('x', { blockOwnerDeletion: false })] }),
    expected: ['x'],
  },
  {
    what: 'so is one that was blocked and is none any more',
    before: node('o', { owners: [reference('x', { blockOwnerDeletion: true })] }),
    after: node('o'),
    expected: ['x'],
  },
  {
    what: 'but not one that was never blocked',
    before: node('o', { owners: [reference('x')] }),
    after: node('o'),
    expected: [],
  },
] as const)('$what', ({ before, after, expected }) => {
  const graph = graphOf(before, node('a', { owners: [reference('o')] }), node('b', { owners: [reference('o')] }));
  expect(graph.set(after)).toEqual(expected);
});

test('equal references to one owner are one object', () => {
  const graph = graphOf(node('a', { owners: [reference('o')] }), node('b', { owners: [reference('o')] }));
  expect(graph.node('b')?.owners[0]).toBe(graph.node('a')?.owners[0]);
});

test.each([
  { what: 'of its own namespace', given: reference('o'), namespace: 'harbor', expected: true },
  { what: 'of another namespace', given: reference('o'), namespace: 'quay', expected: false },
  { what: 'of another kind', given: reference('o', { kind: 'Secret' }), namespace: 'harbor', expected: false },
  { what: 'of another version', given: reference('o', { apiVersion: 'v2' }), namespace: 'harbor', expected: false },
])('a confirmed owner is confirmed for references $what: $expected', ({ given, namespace, expected }) => {
  const graph = graphOf(node('a', { owners: [reference('o')] }));
  expect(graph.isConfirmed(given, namespace)).toBe(false);
  graph.confirm(reference('o'), 'harbor');
  expect(graph.isConfirmed(given, namespace)).toBe(expected);
  graph.refute('o');
  expect(graph.isConfirmed(given, namespace)).toBe(false);
});

test('cluster-scoped owners are confirmed for all namespaces', () => {
  const graph = graphOf(node('a', { owners: [reference('o')] }));
  graph.confirm(reference('o'), '');
  expect(graph.isConfirmed(reference('o'), 'anywhere')).toBe(true);
});

test('of owners that are absent the last 500 are known, from their own namespace or, if cluster-scoped, from all', () => {
  const absent = new AbsentOwners();
  absent.add(reference('namespaced'), 'harbor');
  absent.lost(reference('cluster'), '');
  expect(absent.has(reference('namespaced'), 'harbor')).toBe(true);
  expect(absent.has(reference('namespaced'), 'quay')).toBe(false);
  expect(absent.has(reference('cluster'), 'quay')).toBe(true);
  expect(absent.isLost('cluster')).toBe(true);
  expect(absent.isLost('namespaced')).toBe(false);
  for (let at = 0; at < 500; at++) absent.add(reference(`other-${at}`), 'harbor');
  expect(absent.has(reference('namespaced'), 'harbor')).toBe(false);
  expect(absent.has(reference('other-0'), 'harbor')).toBe(true);
});
