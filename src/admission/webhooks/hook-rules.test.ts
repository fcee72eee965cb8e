import { describe, expect, test } from 'vitest';
import type { ServedVersion } from '../../api/admission.ts';
import type { RuleWithOperations } from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import type { Hook } from './hook.ts';
import { callOf, type MatchedAttributes } from './hook-rules.ts';

const version = (name: string): ServedVersion => ({
  resource: { group: 'apps', version: name, resource: 'deployments' },
  kind: { group: 'apps', version: name, kind: 'Deployment' },
});

const write: MatchedAttributes = {
  ...{ operation: 'CREATE', group: 'apps', version: 'v1', resource: 'deployments', subresource: '' },
  namespaced: true,
  objectKind: { group: 'apps', version: 'v1', kind: 'Deployment' },
  versions: () => [version('v1'), version('v1beta1')],
};

const everything: RuleWithOperations = {
  ...{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] },
};

function call(rule: RuleWithOperations, attributes: Partial<MatchedAttributes> = {}, matchesEquivalent = true) {
  // Only rules and the match policy are looked at.
  const hook = { rules: [{ ...everything, ...rule }], matchesEquivalent } as unknown as Hook;
  return callOf(hook, { ...write, ...attributes });
}

describe('rules of webhooks', () => {
  test.each<[RuleWithOperations, Partial<MatchedAttributes>, boolean]>([
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
  ])('%j, asked about %j', (rule, attributes, matches) => {
    expect(call(rule, attributes) !== undefined).toBe(matches);
  });

  test('a rule for another version matches where the policy is Equivalent, and gets that version', () => {
    expect(call({ apiVersions: ['v1beta1'] })).toMatchObject(version('v1beta1'));
    expect(call({ apiVersions: ['v1beta1'] }, {}, false)).toBeUndefined();
    expect(call({ apiVersions: ['v2'] })).toBeUndefined();
  });
});
