import type { Int64 } from '../../api/values/int64.ts';
import type { ObjectMeta } from '../../api/meta/object.ts';

/** Options of a deletion (meta/v1 DeleteOptions), validated. */
export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds: Int64 | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: 'Orphan' | 'Background' | 'Foreground' | undefined;
  readonly preconditions: Preconditions;
  /** Deletes only unreadable objects (ignoreStoreReadErrorWithClusterBreakingPotential). */
  readonly ignoresReadError: boolean;
}

/** A deletion without options. */
export const noOptions: DeleteOptions = {
  dryRun: false,
  gracePeriodSeconds: undefined,
  orphanDependents: undefined,
  propagationPolicy: undefined,
  preconditions: {},
  ignoresReadError: false,
};

export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/**
 * The fate of dependents without a propagation policy. `unsupported`: the kind does not take part in garbage
 * collection.
 */
export type GarbageCollectionDefault = 'background' | 'orphan' | 'unsupported';

const orphanFinalizer = 'orphan';
const foregroundFinalizer = 'foregroundDeletion';

/**
 * The finalizers that a deletion leaves for the garbage collector: by an explicit policy, else by a finalizer already
 * present, else by the kind's default.
 */
export function deletionFinalizers(
  metadata: ObjectMeta,
  options: DeleteOptions,
  byDefault: GarbageCollectionDefault,
): readonly string[] {
  const current = metadata.finalizers ?? [];
  const others = current.filter((finalizer) => finalizer !== orphanFinalizer && finalizer !== foregroundFinalizer);
  const policy = effectivePolicy(current, options, byDefault);
  if (policy === 'Orphan') return [...others, orphanFinalizer];
  if (policy === 'Foreground') return [...others, foregroundFinalizer];
  return others;
}

function effectivePolicy(
  finalizers: readonly string[],
  options: DeleteOptions,
  byDefault: GarbageCollectionDefault,
): 'Orphan' | 'Background' | 'Foreground' {
  if (byDefault === 'unsupported') return 'Background';
  if (options.orphanDependents !== undefined) return options.orphanDependents ? 'Orphan' : 'Background';
  if (options.propagationPolicy !== undefined) return options.propagationPolicy;
  const own = finalizers.find((finalizer) => finalizer === orphanFinalizer || finalizer === foregroundFinalizer);
  if (own !== undefined) return own === orphanFinalizer ? 'Orphan' : 'Foreground';
  return byDefault === 'orphan' ? 'Orphan' : 'Background';
}

export function sameFinalizers(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((finalizer) => b.includes(finalizer));
}
