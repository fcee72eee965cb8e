import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { currentRelease, isRemoved, servedResources } from '../../src/schema/kubernetes/api-enablement.ts';
import { resolveFeatureGates } from '../../src/schema/kubernetes/feature-gates.ts';
import { builtInGroups, builtInResources } from '../../src/schema/kubernetes/resources.ts';
import { digestLists, discoveryDigestsFile, discoveryLists, type DiscoveryDigests } from './discovery-digest.ts';

const recorded = JSON.parse(readFileSync(discoveryDigestsFile, 'utf8')) as DiscoveryDigests;

const served = builtInResources().filter((resource) => !isRemoved(resource, currentRelease));

describe('the resources table, compared with a server’s discovery', () => {
  test('every resource of every version, in the same order', () => {
    const actual = digestLists(discoveryLists(served));
    expect(Object.entries(actual)).toEqual(Object.entries(recorded.all));
  });

  test('what is served by default', () => {
    const actual = digestLists(discoveryLists(servedResources(new Map())));
    expect(Object.entries(actual)).toEqual(Object.entries(recorded.servedByDefault));
  });

  test('api/all=true serves everything when the gates are on', () => {
    const gates = resolveFeatureGates(
      new Map([
        ['AllAlpha', true],
        ['AllBeta', true],
      ]),
      currentRelease,
    );
    expect(servedResources(new Map([['api/all', 'true']]), { featureGates: gates })).toEqual(served);
  });

  test('groups in the same order, preferred versions first', () => {
    const groups = builtInGroups().filter(({ name, versions }) => name !== '' && versions.length > 0);
    expect(groups.map(({ name }) => name)).toEqual(recorded.order);
    expect(Object.fromEntries(groups.map(({ name, versions }) => [name, versions[0]]))).toEqual(recorded.preferred);
  });
});
