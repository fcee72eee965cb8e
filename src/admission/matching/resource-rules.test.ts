import { describe, expect, test } from 'vitest';
import type { ServedVersion } from '../../api/contracts/admission.ts';
import type { NamedRuleWithOperations } from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { matchedVersion, type MatchedAttributes } from './resource-rules.ts';

const version = (name: string): ServedVersion => ({
  resource: { group: 'apps', version: name, resource: 'deployments' },
  kind: { group: 'apps', version: name, kind: 'Deployment' },
});

const write: MatchedAttributes = {
  operation: 'CREATE',
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  subresource: '',
  namespaced: true,
  objectKind: {
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
  },
  versions: () => [version('v1'), version('v1beta1')],
};

const everything: NamedRuleWithOperations = {
  operations: ['*'],
  apiGroups: ['*'],
  apiVersions: ['*'],
  resources: ['*'],
};

function match(rule: NamedRuleWithOperations, attributes: Partial<MatchedAttributes> = {}, matchesEquivalent = true) {
  return matchedVersion({ rules: [{ ...everything, ...rule }], matchesEquivalent }, { ...write, ...attributes });
}

describe('rules about resources', () => {
  test.each<[NamedRuleWithOperations, Partial<MatchedAttributes>, boolean]>([
    [{}, {}, true],
    [{}, { subresource: 'status' }, false],
    [{ resources: ['*/*'] }, { subresource: 'status' }, true],
    [{ resources: ['*/*'] }, {}, true],
    [{ resources: ['*/scale'] }, { subresource: 'scale' }, true],
    [{ resources: ['*/scale'] }, { subresource: 'status' }, false],
    [{ resources: ['deployments'] }, { subresource: 'status' }, false],
    [{ resources: ['deployments/*'] }, { subresource: 'status' }, true],
    [{ resources: ['deployments/*'] }, {}, true],
    [{ resources: ['replicasets'] }, {}, false],
    [{ operations: ['UPDATE', 'CREATE'] }, {}, true],
    [{ operations: ['DELETE'] }, {}, false],
    [{ apiGroups: [''] }, {}, false],
    [{ scope: 'Namespaced' }, {}, true],
    [{ scope: 'Cluster' }, {}, false],
    [{ scope: 'Cluster' }, { namespaced: false }, true],
    [{ resourceNames: ['one', 'two'] }, { name: 'two' }, true],
    [{ resourceNames: ['one', 'two'] }, { name: 'three' }, false],
    [{ resourceNames: ['one'] }, {}, false],
  ])('%j, asked about %j', (rule, attributes, matches) => {
    expect(match(rule, attributes) !== undefined).toBe(matches);
  });

  test('a rule for another version matches where the policy is Equivalent, and gets that version', () => {
    expect(match({ apiVersions: ['v1beta1'] })).toMatchObject(version('v1beta1'));
    expect(match({ apiVersions: ['v1beta1'] }, {}, false)).toBeUndefined();
    expect(match({ apiVersions: ['v2'] })).toBeUndefined();
  });
});
