import { expect, test } from 'vitest';
import type { FlowRequest } from '../classification/flow-request.ts';
import { WatchCounts } from './watch-counts.ts';

const write = (namespace: string, name: string, verb = 'update'): FlowRequest => ({
  user: {
    name: 'u',
    uid: '',
    groups: [],
    extra: {},
  },
  verb,
  isResourceRequest: true,
  path: '',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace,
  name,
});

test('a write may be told to watches of everything, of its namespace and of its object', () => {
  const counts = new WatchCounts();
  const pods = { group: '', resource: 'pods' };
  const ends = [
    { ...pods, namespace: '', name: '' },
    { ...pods, namespace: 'a', name: '' },
    { ...pods, namespace: 'a', name: 'x' },
    { ...pods, namespace: 'b', name: '' },
    { group: 'apps', resource: 'pods', namespace: '', name: '' },
  ].map((watched) => counts.add(watched));
  expect(counts.interestedIn(write('a', 'x'))).toBe(3);
  expect(counts.interestedIn(write('a', ''))).toBe(2);
  expect(counts.interestedIn(write('c', 'x'))).toBe(1);
  expect(counts.interestedIn(write('a', 'x', 'get'))).toBe(0);
  for (const end of ends) end();
  expect(counts.interestedIn(write('a', 'x'))).toBe(0);
});
