import type { Collection } from '../api/client/client.ts';
import { matchesLabels } from '../api/selectors/label-selector.ts';
import { type LabelSelectorObject, selectorOfObject } from '../api/selectors/label-selector-object.ts';
import type { JsonObject } from '../api/json/json.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { isReason } from '../api/errors/status.ts';
import { compareBytewise } from '../api/json/json-text.ts';
import type { ClusterRole, PolicyRule } from '../schema/kubernetes/generated/types/rbac-v1.ts';
import { ruleKey } from '../authorization/rbac/rule-coverage.ts';
import { ControlLoop } from './control-loop.ts';
import type { ControllerContext } from './controller-context.ts';
import { NotYet } from './work-queue.ts';

type StoredClusterRole = KubernetesObject & ClusterRole;

const clusterRoles: Collection = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  resource: 'clusterroles',
  namespace: '',
};
/** The name under which it applies rules, as in the reference. */
const manager = 'clusterrole-aggregation-controller';
/** Changes tend to come in bursts. */
const settleMs = 20;
/** The key of all roles, since a change of one is about all that gather its rules; it is no name of a role. */
const allRoles = '';

/** Fills roles with an aggregation rule with the rules of all roles that it selects. */
export function clusterRoleAggregationController(context: ControllerContext): AsyncDisposable {
  const { client } = context;
  const options = { queue: 'ClusterRoleAggregator', workers: 1, firstDelayMs: 100, longestDelayMs: 8_000 };
  const loop = new ControlLoop(context, work, options);
  const followed = loop.follow(clusterRoles, {
    keep: (role) => role as StoredClusterRole, // decoded by its schema
    changed: () => loop.queue.addAfter(allRoles, settleMs),
  });
  return loop;

  async function work(key: string): Promise<void> {
    const roles = inOrder(followed.all());
    if (key === allRoles) for (const role of roles.filter(gathers)) loop.queue.add(nameOf(role));
    else await aggregate(key, roles);
  }

  async function aggregate(name: string, roles: readonly StoredClusterRole[]): Promise<void> {
    const role = followed.get('', name);
    const rules = role && rulesToGather(role, roles);
    if (role === undefined || rules === undefined) return;
    try {
      await apply(role, rules);
    } catch (error) {
      // The conflicting change adds the role again.
      if (isReason(error, 'Conflict') || isReason(error, 'NotFound')) return;
      // The bootstrap policy of a new server is about to be written.
      throw isReason(error, 'Forbidden') ? new NotYet(`the role ${name} could not be written`) : error;
    }
  }

  /** Without rules, those that it applied before go, and those that somebody else has set stay. */
  async function apply({ metadata }: StoredClusterRole, rules: readonly PolicyRule[]): Promise<void> {
    const name = metadata.name ?? '';
    const configuration = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: {
        name,
        ...(metadata.uid === undefined ? {} : { uid: metadata.uid }),
      },
      ...(rules.length === 0 ? {} : { rules: rules.map((rule) => ({ ...rule })) }),
    };
    await client.apply({ ...clusterRoles, name }, configuration as JsonObject, { manager, subresource: '' });
  }
}

function gathers({ aggregationRule }: StoredClusterRole): boolean {
  return aggregationRule !== undefined;
}

function nameOf({ metadata }: KubernetesObject): string {
  return metadata.name ?? '';
}

/** More are looked at in time slices. */
const mostCharacters = 1 << 20;

/** Whether roles, as they are stored, lack rules that they are to gather. */
export function lackRules(stored: readonly string[]): boolean {
  if (!stored.some((text) => text.includes('"aggregationRule":'))) return false;
  if (stored.reduce((sum, { length }) => sum + length, 0) > mostCharacters) return true;
  // Stored by the schema of the kind.
  const all = inOrder(stored.map((text) => JSON.parse(text) as StoredClusterRole));
  return all.some((role) => rulesToGather(role, all) !== undefined);
}

function inOrder(roles: Iterable<StoredClusterRole>): readonly StoredClusterRole[] {
  return [...roles].sort((a, b) => compareBytewise(nameOf(a), nameOf(b)));
}

/** Undefined when the role has them. */
function rulesToGather(
  role: StoredClusterRole,
  roles: readonly StoredClusterRole[],
): readonly PolicyRule[] | undefined {
  if (role.aggregationRule === undefined) return undefined;
  const rules = gatheredRules(role, roles);
  const present = role.rules ?? [];
  if (rules.size !== present.length) return [...rules.values()];
  const keys = rules.keys();
  for (const rule of present) {
    if (ruleKey(rule) !== keys.next().value) return [...rules.values()];
  }
  return undefined;
}

/** By selector, then by role name, without duplicate rules; undefined for roles without an aggregation rule. */
export function aggregatedRules(
  role: StoredClusterRole,
  roles: ReadonlyMap<string, StoredClusterRole>,
): readonly PolicyRule[] | undefined {
  if (role.aggregationRule === undefined) return undefined;
  return [...gatheredRules(role, inOrder(roles.values())).values()];
}

/** By their keys. */
function gatheredRules(role: StoredClusterRole, roles: readonly StoredClusterRole[]): ReadonlyMap<string, PolicyRule> {
  const rules = new Map<string, PolicyRule>();
  for (const object of role.aggregationRule?.clusterRoleSelectors ?? []) {
    // validated when written
    const selector = selectorOfObject(object as LabelSelectorObject);
    if (selector === undefined) continue;
    for (const other of roles) {
      if (nameOf(other) === nameOf(role) || !matchesLabels(selector, other.metadata.labels ?? {})) continue;
      for (const rule of other.rules ?? []) {
        const key = ruleKey(rule);
        if (!rules.has(key)) rules.set(key, rule);
      }
    }
  }
  return rules;
}
