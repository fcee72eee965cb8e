import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { WriteContext } from '../../registry/kinds/strategy.ts';
import type { EscalationGuard } from '../../registry/kinds/escalation-guard.ts';
import { rbacStrategy } from './escalation.ts';

const role = (more: object): KubernetesObject => ({
  kind: 'ClusterRole',
  apiVersion: 'rbac.authorization.k8s.io/v1',
  metadata: { name: 'r' },
  ...more,
});

/** Whether a change asks for permission. */
async function isChecked(before: object, after: object): Promise<boolean> {
  let checked = false;
  const guard = { checkRole: () => Promise.resolve(void (checked = true)) } as unknown as EscalationGuard;
  const { permitUpdate } = rbacStrategy('clusterroles', { escalation: () => guard });
  // All that is read of it.
  const context = { user: { name: 'ann', uid: '', groups: [], extra: {} } } as unknown as WriteContext;
  await permitUpdate?.(role(after), role(before), context);
  return checked;
}

const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }];

test.each([
  [{ rules }, { rules }, false],
  [{ rules }, { rules, metadata: { name: 'r', finalizers: ['x/y'], ownerReferences: [] } }, false],
  [{ rules }, { rules: [{ ...rules[0], resourceNames: [] }] }, false],
  [{}, { rules: [] }, false],
  [{ metadata: { name: 'r', labels: {} } }, {}, false],
  [{ rules }, { rules, metadata: { name: 'r', labels: { a: 'b' } } }, true],
  [{ rules }, { rules: [] }, true],
  [{}, { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } }, true],
])('a change from %j to %j is checked: %j', async (before, after, checked) => {
  expect(await isChecked(before, after)).toBe(checked);
});
