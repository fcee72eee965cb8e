import type { NamespaceCondition } from '../schema/kubernetes/generated/types/core-v1.ts';

/** The result of one pass over a terminating namespace. */
export interface Remains {
  /** Remaining objects by resource: `pods.`, `deployments.apps`. */
  readonly objects: ReadonlyMap<string, number>;
  /** Number of objects by pending finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
  readonly errors: readonly string[];
  /** Versions of other servers with unknown resources. */
  readonly unknown?: readonly string[];
}

interface Row {
  readonly type: string;
  readonly ok: { readonly reason: string; readonly message: string };
  /** The failure, if any. */
  wrong?(remains: Remains): { readonly reason: string; readonly message: string } | undefined;
}

/** Conditions of a terminating namespace, in order. The second one never fails here. */
const rows: readonly Row[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    ok: { reason: 'ResourcesDiscovered', message: 'All resources successfully discovered' },
    wrong({ unknown = [] }) {
      if (unknown.length === 0) return undefined;
      const texts = unknown.map((version) => `${version}: stale GroupVersion discovery: ${version}`);
      const message = `Discovery failed for some groups, ${unknown.length} failing: unable to retrieve the complete list of server APIs: ${texts.toSorted().join(', ')}`;
      return { reason: 'DiscoveryFailed', message };
    },
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    ok: { reason: 'ParsedGroupVersions', message: 'All legacy kube types successfully parsed' },
  },
  {
    type: 'NamespaceDeletionContentFailure',
    ok: {
      reason: 'ContentDeleted',
      message: 'All content successfully deleted, may be waiting on finalization',
    },
    wrong({ errors }) {
      if (errors.length === 0) return undefined;
      const message = `Failed to delete all resource types, ${errors.length} remaining: ${errors.toSorted().join(', ')}`;
      return { reason: 'ContentDeletionFailed', message };
    },
  },
  {
    type: 'NamespaceContentRemaining',
    ok: { reason: 'ContentRemoved', message: 'All content successfully removed' },
    wrong({ objects }) {
      if (objects.size === 0) return undefined;
      const texts = [...objects].map(([resource, count]) => `${resource} has ${count} resource instances`);
      return {
        reason: 'SomeResourcesRemain',
        message: `Some resources are remaining: ${texts.toSorted().join(', ')}`,
      };
    },
  },
  {
    type: 'NamespaceFinalizersRemaining',
    ok: { reason: 'ContentHasNoFinalizers', message: 'All content-preserving finalizers finished' },
    wrong({ finalizers }) {
      if (finalizers.size === 0) return undefined;
      const texts = [...finalizers].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`);
      const message = `Some content in the namespace has finalizers remaining: ${texts.toSorted().join(', ')}`;
      return { reason: 'SomeFinalizersRemain', message };
    },
  },
];

/** The conditions after a pass; undefined when unchanged. `now` is an RFC 3339 time. */
export function nextConditions(
  old: readonly NamespaceCondition[],
  remains: Remains,
  now: string,
): NamespaceCondition[] | undefined {
  const next = [...old];
  let changed = false;
  for (const row of rows) {
    const { type, ok } = row;
    const failure = row.wrong?.(remains);
    const index = next.findIndex((condition) => condition.type === type);
    const before = next[index];
    const status = failure === undefined ? 'False' : 'True';
    const { reason, message } = failure ?? ok;
    if (before?.status === status && before.reason === reason && before.message === message) continue;
    const lastTransitionTime = before?.status === status ? (before.lastTransitionTime ?? now) : now;
    const condition: NamespaceCondition = { type, status, lastTransitionTime, reason, message };
    if (before === undefined) next.push(condition);
    else next[index] = condition;
    changed = true;
  }
  return changed ? next : undefined;
}
