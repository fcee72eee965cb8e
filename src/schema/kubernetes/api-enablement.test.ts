import { describe, expect, test } from 'vitest';

import { formatApiVersion } from '../../api/meta/group-version.ts';
import { RuntimeConfigError, servedResources, type ReleaseOptions } from './api-enablement.ts';

type Config = { readonly [key: string]: string };

function served(config: Config, options: ReleaseOptions = {}): Set<string> {
  const resources = servedResources(new Map(Object.entries(config)), options);
  return new Set(resources.map(({ group, version, plural }) => `${formatApiVersion(group, version)}/${plural}`));
}

describe('servedResources', () => {
  test('serves only stable versions by default', () => {
    const all = served({});
    expect(all).toContain('v1/pods');
    expect([...all].filter((name) => /alpha|beta/.test(name))).toEqual([]);
  });

  test.each<[Config, string, boolean]>([
    [{ 'api/beta': 'true' }, 'resource.k8s.io/v1beta1/deviceclasses', true],
    [{ 'api/beta': 'true' }, 'lifecycle.k8s.io/v1alpha1/evictions', false],
    [{ 'api/alpha': 'true' }, 'internal.apiserver.k8s.io/v1alpha1/storageversions', true],
    [{ 'api/alpha': 'true' }, 'lifecycle.k8s.io/v1alpha1/evictions', false],
    [{ 'api/ga': 'false' }, 'apps/v1/deployments', false],
    [{ 'apps/v1': 'false' }, 'apps/v1/deployments', false],
    [{ 'apps/v1': 'false', 'api/all': 'true' }, 'apps/v1/deployments', false],
    [{ 'apps/v1': 'false', 'apps/v1/deployments': 'true' }, 'apps/v1/deployments', true],
    [{ 'apps/v1': 'false', 'apps/v1/deployments': 'true' }, 'apps/v1/daemonsets', false],
    [{ 'apps/v1/daemonsets': 'false' }, 'apps/v1/daemonsets', false],
    [{ 'resource.k8s.io/v1beta1/deviceclasses': '' }, 'resource.k8s.io/v1beta1/deviceclasses', true],
    [{ 'resource.k8s.io/v1beta1/deviceclasses': 'true' }, 'resource.k8s.io/v1beta1/resourceclaims', false],
    [{ 'api/all': 'true', 'api/beta': 'false' }, 'resource.k8s.io/v1beta1/deviceclasses', false],
    [{ v1: 'false' }, 'v1/pods', false],
    [{ 'api/v1': 'f' }, 'v1/pods', false],
    [{ 'api/legacy': 'false' }, 'v1/pods', true],
    [{ 'apps/v1beta1': 'true' }, 'apps/v1/deployments', true],
  ])('%j: %s is %s', (config, name, expected) => {
    expect(served(config).has(name)).toBe(expected);
  });

  test.each<[Config, string]>([
    [{ 'api/all': 'yes' }, 'invalid value api/all=yes'],
    [{ 'api/beta': '' }, 'invalid value api/beta='],
    [{ 'api/all': 'false' }, 'invalid runtime-config with only api/all=false'],
    [{ 'apps/v5': 'true' }, 'group version apps/v5 that has not been registered'],
    [{ 'foo/v1': 'true', 'bar/v2': 'false' }, 'unknown api groups bar/v2,foo/v1'],
    [
      { 'apps/v1/Deployments': 'true' },
      'invalid key apps/v1/Deployments: group/version/resource and resource is always lowercase plural, not "Deployments"',
    ],
    [
      { 'apps/v1': 'maybe' },
      'invalid value of apps/v1: maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax',
    ],
    [{ 'a/b/c/d': 'true' }, 'runtime-config invalid key a/b/c/d'],
    [{ noslash: '' }, 'runtime-config invalid key noslash'],
    [{ 'extensions/v1': 'true' }, 'group version extensions/v1 that has not been registered'],
    [{ '/v1': 'bad' }, 'invalid value of /v1: bad, err: strconv.ParseBool: parsing "bad": invalid syntax'],
  ])('%j is refused', (config, message) => {
    expect(() => served(config)).toThrow(new RuntimeConfigError(message));
  });

  test('known versions that are not served may be named', () => {
    const known = ['node.k8s.io/v1alpha1', 'extensions/v1beta1', 'flowcontrol.apiserver.k8s.io/v1beta1'];
    const named = served(Object.fromEntries(known.map((version) => [version, 'true'])));
    expect([...named]).toEqual([...served({})]);
  });

  test('a resource behind a feature gate is served when the gate is on', () => {
    const featureGates = new Map([['EvictionRequestAPI', true]]);
    expect(served({ 'api/alpha': 'true' }, { featureGates }).has('lifecycle.k8s.io/v1alpha1/evictions')).toBe(true);
    expect(served({}, { featureGates }).has('lifecycle.k8s.io/v1alpha1/evictions')).toBe(false);
  });

  test('an older release does not serve later additions', () => {
    expect(served({}, { release: '1.36' }).has('storagemigration.k8s.io/v1/storageversionmigrations')).toBe(false);
    expect(served({}, { release: '1.37' }).has('storagemigration.k8s.io/v1/storageversionmigrations')).toBe(true);
    expect(served({ 'api/all': 'true' }, { release: '1.36' }).has('lifecycle.k8s.io/v1alpha1/evictions')).toBe(false);
  });
});

describe('what is newer than the emulated release', () => {
  const release = '1.36';
  const plain = served({}, { release });
  const added = (config: Config, options: ReleaseOptions): string[] =>
    [...served(config, { release, ...options })].filter((name) => !plain.has(name));
  const beta = ['deviceclasses', 'devicetaintrules', 'resourceclaims', 'resourceclaimtemplates', 'resourceslices'];
  const rule = 'resource.k8s.io/v1/devicetaintrules';

  // Recorded from the reference.
  test.each<[string, Config, ReleaseOptions, string[]]>([
    ['nothing is served', {}, { forwardCompatible: true }, []],
    [
      'a version is served of which an older one is',
      { 'resource.k8s.io/v1beta2/devicetaintrules': 'true' },
      { forwardCompatible: true },
      [rule, 'resource.k8s.io/v1beta2/devicetaintrules'],
    ],
    [
      'it is not where the configuration says so',
      { 'resource.k8s.io/v1beta2': 'true', [rule]: 'false' },
      { forwardCompatible: true },
      beta.map((plural) => `resource.k8s.io/v1beta2/${plural}`),
    ],
    ['what is named is served', { [rule]: 'true' }, { namedForwardCompatible: true }, [rule]],
    [
      'what is in a version that is named is served',
      { 'resource.k8s.io/v1': 'true', 'lifecycle.k8s.io/v1alpha1': 'true' },
      { namedForwardCompatible: true },
      [rule],
    ],
    ['versions that are named bring nothing else', { 'resource.k8s.io/v1': 'true' }, {}, []],
  ])('%s', (_, config, options, expected) => {
    expect(added(config, options)).toEqual(expected);
  });

  test('versions that the release has removed are served until then', () => {
    const removed = [
      'networking.k8s.io/v1beta1/ipaddresses',
      'networking.k8s.io/v1beta1/servicecidrs',
      'storage.k8s.io/v1beta1/volumeattributesclasses',
    ];
    const all = served({ 'api/beta': 'true' }, { release });
    expect(removed.filter((name) => all.has(name))).toEqual(removed);
    expect(removed.filter((name) => served({ 'api/beta': 'true' }).has(name))).toEqual([]);
    const longer = served({ 'api/beta': 'true' }, { servesRemoved: true });
    expect(removed.filter((name) => longer.has(name))).toEqual(removed);
  });

  test('a resource that is named and not served is refused', () => {
    expect(() => served({ [rule]: 'true' }, { release })).toThrow(
      'cannot enable resource resource.k8s.io/v1, Resource=devicetaintrules in runtime-config because it is introduced at 1.37 after the current version 1.36. Consider setting --runtime-config-emulation-forward-compatible=true',
    );
  });
});
