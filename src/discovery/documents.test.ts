import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { currentRelease, servedResources } from '../schema/kubernetes/api-enablement.ts';
import { resolveFeatureGates } from '../schema/kubernetes/feature-gates.ts';
import { catalogueOf } from '../catalogue/testdata/catalogue-of.ts';
import type { Soon } from '../api/scheduling/soon.ts';
import { createDiscovery, type Discovery, type DiscoveryDocument, type ValidatedDocument } from './documents.ts';
import digests from './testdata/reference-digests.json' with { type: 'json' };

const everyGate = resolveFeatureGates(
  new Map([
    ['AllAlpha', true],
    ['AllBeta', true],
  ]),
  currentRelease,
);
const configurations = {
  default: servedResources(new Map()),
  all: servedResources(new Map([['api/all', 'true']]), { featureGates: everyGate }),
};

function discoveryOf(name: keyof typeof configurations): Discovery {
  return createDiscovery({ serverAddress: () => '192.0.2.1:6443' })(catalogueOf(configurations[name]));
}

describe.each(['default', 'all'] as const)('discovery of the %s configuration', (name) => {
  const discovery = discoveryOf(name);
  const recorded: { readonly [document: string]: string } = digests[name];

  test.each(Object.entries(recorded))('%s is the reference’s, byte for byte', async (document, digest) => {
    expect(digestOf(await documentAt(discovery, document))).toBe(digest);
  });

  test('the paths are those of the reference', () => {
    const paths = Object.keys(recorded).filter((document) => document.startsWith('/'));
    expect(discovery.paths()).toEqual(['/api', ...paths]);
  });
});

test('/api has the versions of the core group and the address', () => {
  expect(discoveryOf('default').versions().json).toBe(
    '{"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":[{"clientCIDR":"0.0.0.0/0","serverAddress":"192.0.2.1:6443"}]}',
  );
});

test('unserved versions have no document', () => {
  const discovery = discoveryOf('default');
  expect(discovery.group('lifecycle.k8s.io')).toBeUndefined();
  expect(discovery.group('')).toBeUndefined();
  expect(discovery.resources('apps', 'v1beta1')).toBeUndefined();
});

test('a document is built once', async () => {
  const discovery = discoveryOf('default');
  expect(await discovery.aggregatedGroups()).toBe(await discovery.aggregatedGroups());
});

test('validators differ where documents do', async () => {
  const { etag } = await discoveryOf('default').aggregatedGroups();
  expect(etag).not.toBe((await discoveryOf('all').aggregatedGroups()).etag);
  expect(etag).toBe((await discoveryOf('default').aggregatedGroups()).etag);
});

function documentAt(discovery: Discovery, document: string): Soon<DiscoveryDocument | ValidatedDocument | undefined> {
  if (document === 'aggregated /api') return discovery.aggregatedCore();
  if (document === 'aggregated /apis') return discovery.aggregatedGroups();
  const [, root, first = '', second] = document.split('/');
  if (root === 'api') return discovery.resources('', first);
  if (first === '') return discovery.groups();
  return second === undefined ? discovery.group(first) : discovery.resources(first, second);
}

function digestOf(document: DiscoveryDocument | ValidatedDocument | undefined): string {
  return createHash('sha256')
    .update(document?.json ?? '')
    .digest('base64url')
    .slice(0, 16);
}
