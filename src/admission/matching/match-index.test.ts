import { expect, it } from 'vitest';
import type { AdmissionAttributes } from '../../api/contracts/admission.ts';
import { admissionPlace } from '../../api/contracts/admission-place.ts';
import { MatchIndex } from './match-index.ts';

const catalogue = {};
const secrets = { operation: 'CREATE', group: '', version: 'v1', resource: 'secrets', subresource: '' };

it.each([
  ['operation', { operation: 'UPDATE' }],
  ['group', { group: 'apps' }],
  ['version', { version: 'v2' }],
  ['resource', { resource: 'pods' }],
  ['subresource', { subresource: 'status' }],
  ['state of the catalogue', { served: {} }],
])('matches are found once by each %s', (_, other) => {
  const looked: string[] = [];
  const index = new MatchIndex(({ resource }) => [looked.push(resource)]);
  const get = ({ served, ...place }: { readonly served: object } & typeof secrets): object =>
    // All that it reads.
    index.get({ ...place, place: admissionPlace(served, place) } as unknown as AdmissionAttributes);
  const first = { served: catalogue, ...secrets };
  expect(get(first)).toBe(get({ ...first }));
  expect(get({ ...first, ...other })).not.toBe(get(first));
  expect(looked).toHaveLength(2);
  const before = get(first);
  index.clear();
  expect(get(first)).not.toBe(before);
});
