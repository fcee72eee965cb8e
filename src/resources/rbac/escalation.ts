import { isDeepStrictEqual } from 'node:util';
import { nameRules } from '../../api/meta/names.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { EscalationGuard, PolicyWrite } from '../../registry/kinds/escalation-guard.ts';
import type { Strategy, WriteContext } from '../../registry/kinds/strategy.ts';
import type {
  AggregationRule,
  ClusterRole,
  ClusterRoleBinding,
} from '../../schema/kubernetes/generated/types/rbac-v1.ts';
import type { KindEnvironment } from '../kind-environment.ts';

/** A write of a role or binding; `old` is undefined for creates. */
interface Written {
  readonly object: Readonly<KubernetesObject>;
  readonly old: Readonly<KubernetesObject> | undefined;
}

type Check = (guard: EscalationGuard, written: Written, write: PolicyWrite) => Promise<void>;

/** The strategy of roles and bindings. */
export function rbacStrategy(
  resource: PolicyWrite['resource'],
  { escalation }: Pick<KindEnvironment, 'escalation'>,
): Strategy {
  const check: Check = resource.endsWith('roles') ? checkRole : checkBinding;
  const permit = (written: Written, context: WriteContext): undefined | Promise<void> => {
    // The server itself acts as a member of this group.
    if (context.user.groups.includes('system:masters') || changesOwnersOnly(written)) return undefined;
    return check(escalation(), written, { ...context, resource, name: written.object.metadata.name ?? '' });
  };
  return {
    nameRule: nameRules.wholePathSegment,
    allowCreateOnUpdate: true,
    permitCreate: (object, context) => permit({ object, old: undefined }, context),
    permitUpdate: (object, old, context) => permit({ object, old }, context),
  };
}

/** Changes by garbage collection grant nothing. */
function changesOwnersOnly({ object, old }: Written): boolean {
  return old !== undefined && isDeepStrictEqual(withoutOwners(object), withoutOwners(old));
}

function withoutOwners(object: Readonly<KubernetesObject>): unknown {
  const without = { ownerReferences: undefined, finalizers: undefined, managedFields: undefined };
  return withoutEmpty({ ...object, metadata: { ...object.metadata, ...without } });
}

/** Lists and maps that are empty equal those that are absent. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value)
    .map(([name, each]) => [name, withoutEmpty(each)] as const)
    .filter(([, each]) => each !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

async function checkRole(guard: EscalationGuard, { object, old }: Written, write: PolicyWrite): Promise<void> {
  // Decoded by the schemas of the kinds; a Role has no aggregation rule.
  const { rules, aggregationRule } = object as ClusterRole;
  const before = old as ClusterRole | undefined;
  const gathers = aggregates(aggregationRule) || aggregates(before?.aggregationRule);
  await guard.checkRole(write, { rules: rules ?? [], aggregates: gathers });
}

async function checkBinding(guard: EscalationGuard, { object }: Written, write: PolicyWrite): Promise<void> {
  const { roleRef = {} } = object as ClusterRoleBinding;
  await guard.checkBinding(write, roleRef);
}

/** Whether a role aggregates others. */
function aggregates(rule: AggregationRule | undefined): boolean {
  return (rule?.clusterRoleSelectors ?? []).length > 0;
}
