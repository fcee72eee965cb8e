import { expect, test } from 'vitest';
import type { ListQuery, StoredStatistics } from './list-seats.ts';
import { type EstimatedRequest, WorkEstimator } from './work-estimator.ts';

const plain: ListQuery = {
  limit: 0,
  resourceVersion: '',
  resourceVersionMatch: '',
  continues: false,
  hasSelector: false,
  sendsInitialEvents: false,
  isInvalid: false,
};

interface Case {
  readonly verb?: string;
  readonly name?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly query?: Partial<ListQuery>;
  readonly stored?: StoredStatistics | undefined;
}

function requestOf({ query = {}, stored, ...more }: Case): EstimatedRequest {
  return {
    user: {
      name: 'u',
      uid: '',
      groups: [],
      extra: {},
    },
    verb: 'list',
    isResourceRequest: true,
    path: '',
    group: '',
    version: 'v1',
    namespace: '',
    resource: 'pods',
    subresource: '',
    name: '',
    ...more,
    listQuery: () => ({
      ...plain,
      ...query,
    }),
    statistics: () => stored,
  };
}

const many = { objects: 799, objectBytes: 2_000 };

test.each<[string, Case, number]>([
  ['a get', { verb: 'get', stored: many }, 1],
  ['a list of a resource that is not known', {}, 1],
  ['a list from memory', { stored: many }, 10],
  ['a small list from memory', { stored: { objects: 50, objectBytes: 2_000 } }, 1],
  ['a list of one', { stored: many, name: 'x' }, 1],
  ['a page from memory', { stored: many, query: { limit: 100 } }, 2],
  ['a page of an exact version', { stored: many, query: { limit: 100, resourceVersion: '7' } }, 2],
  [
    'a page with a selector, not from memory',
    { stored: many, query: { limit: 100, continues: true, hasSelector: true } },
    8,
  ],
  ['a list of an exact version', { stored: many, query: { resourceVersionMatch: 'Exact', resourceVersion: '7' } }, 16],
  ['a list of unknown sizes', { stored: { objects: 3, objectBytes: 0 } }, 10],
  ['a list that will be refused', { stored: many, query: { isInvalid: true } }, 100],
  ['a watch from the state', { verb: 'watch', stored: many }, 10],
  ['a watch from a version', { verb: 'watch', stored: many, query: { resourceVersion: '7' } }, 1],
  [
    'a watch from a version with the state',
    { verb: 'watch', stored: many, query: { resourceVersion: '7', sendsInitialEvents: true } },
    10,
  ],
])('%s', (_, request, seats) => {
  const estimator = new WorkEstimator({ isBySize: true, watchesList: true });
  const estimate = estimator.estimate(requestOf(request), { watches: 0, limit: undefined });
  expect(estimate).toEqual({ initialSeats: seats, finalSeats: 0, additionalMs: 0 });
});

test.each<[string, Case, number]>([
  ['a list from memory', { stored: many }, 8],
  ['a page with a version', { stored: many, query: { limit: 100, resourceVersion: '7' } }, 2],
  ['a page with a selector', { stored: many, query: { limit: 100, resourceVersion: '7', hasSelector: true } }, 9],
  ['a list of many', { stored: { objects: 100_000, objectBytes: 1 } }, 10],
])('by number: %s', (_, request, seats) => {
  const estimator = new WorkEstimator({ isBySize: false, watchesList: true });
  expect(estimator.estimate(requestOf(request), { watches: 0, limit: undefined }).initialSeats).toBe(seats);
});

test.each([
  ['create', 9, undefined, { initialSeats: 1, finalSeats: 0, additionalMs: 0 }],
  ['create', 10, undefined, { initialSeats: 1, finalSeats: 1, additionalMs: 5 }],
  ['update', 25, undefined, { initialSeats: 1, finalSeats: 3, additionalMs: 5 }],
  ['patch', 25, 2, { initialSeats: 1, finalSeats: 2, additionalMs: 7.5 }],
  ['delete', 1_000, undefined, { initialSeats: 1, finalSeats: 10, additionalMs: 50 }],
  ['deletecollection', 1_000, undefined, { initialSeats: 1, finalSeats: 0, additionalMs: 0 }],
])('%s that %d watches are told of, of at most %s seats', (verb, watches, limit, estimate) => {
  const estimator = new WorkEstimator({ isBySize: true, watchesList: true });
  expect(estimator.estimate(requestOf({ verb }), { watches, limit })).toEqual(estimate);
});

test('a token changes nothing that is watched', () => {
  const estimator = new WorkEstimator({ isBySize: true, watchesList: true });
  const token = requestOf({ verb: 'create', resource: 'serviceaccounts', subresource: 'token' });
  expect(estimator.estimate(token, { watches: 100, limit: undefined }).finalSeats).toBe(0);
});

test('no request takes more than its level allows', () => {
  const estimator = new WorkEstimator({ isBySize: true, watchesList: true });
  expect(estimator.estimate(requestOf({ stored: many }), { watches: 0, limit: 4 }).initialSeats).toBe(4);
});
