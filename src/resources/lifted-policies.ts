import type { ClusterPolicy, FieldErrors } from '../api/field-error.ts';
import type { Strategy, UpdateStrategy } from '../registry/strategy.ts';

/** Wraps a strategy so that disabled rules are skipped. */
export function withoutPolicies(strategy: Strategy, lifted: ReadonlySet<ClusterPolicy>): Strategy {
  if (lifted.size === 0) return strategy;
  const remaining = function* (errors: FieldErrors): FieldErrors {
    for (const error of errors) {
      if (error?.clusterPolicy === undefined || !lifted.has(error.clusterPolicy)) yield error;
    }
  };
  const onUpdate = (update: UpdateStrategy): UpdateStrategy => {
    if (update.validateUpdate === undefined) return update;
    return {
      ...update,
      validateUpdate: (object, old, context) => remaining(update.validateUpdate?.(object, old, context) ?? []),
    };
  };
  const { subresources = {} } = strategy;
  return {
    ...strategy,
    ...onUpdate(strategy),
    ...(strategy.validate && {
      validate: (object, context) => remaining(strategy.validate?.(object, context) ?? []),
    }),
    subresources: Object.fromEntries(Object.entries(subresources).map(([name, update]) => [name, onUpdate(update)])),
  };
}
