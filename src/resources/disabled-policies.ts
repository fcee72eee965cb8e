import { type ClusterPolicy, type FieldErrors, gatesOfPodRules, gatesOfRules } from '../api/errors/field-error.ts';
import { once } from '../api/collections/kept-by.ts';
import type { Strategy, UpdateStrategy } from '../registry/kinds/strategy.ts';

/** What does not hold with these gates. */
export function policiesDisabledByGates(gates: ReadonlyMap<string, boolean>): Set<ClusterPolicy> {
  return new Set(gatesOfRules.map((gate) => `${gate} ${gates.get(gate) === true ? 'off' : 'on'}` as const));
}

/**
 * Wraps a strategy so that disabled rules are skipped. Pods keep what they have from when a gate was set otherwise:
 * updates of one that breaks a rule of the gate as it is now set follow the rules of the other setting.
 */
export function withoutPolicies(strategy: Strategy, disabledPolicies: ReadonlySet<ClusterPolicy>): Strategy {
  const isDisabled = (policy: ClusterPolicy): boolean => disabledPolicies.has(policy);
  const onUpdate = (update: UpdateStrategy): UpdateStrategy => {
    if (update.validateUpdate === undefined) return update;
    return {
      ...update,
      validateUpdate(object, old, context, metadataErrors) {
        const broken = once(() => gatesOf(remaining(strategy.validate?.(old, context) ?? [], isDisabled)));
        return remaining(update.validateUpdate?.(object, old, context, metadataErrors) ?? [], (policy) => {
          const gate = podGateOf(policy);
          return isDisabled(policy) !== (gate !== undefined && broken().has(gate));
        });
      },
    };
  };
  const { subresources = {} } = strategy;
  return {
    ...strategy,
    ...onUpdate(strategy),
    ...(strategy.validate && {
      validate: (object, context, metadataErrors) =>
        remaining(strategy.validate?.(object, context, metadataErrors) ?? [], isDisabled),
    }),
    subresources: Object.fromEntries(Object.entries(subresources).map(([name, update]) => [name, onUpdate(update)])),
  };
}

function* remaining(errors: FieldErrors, isDisabled: (policy: ClusterPolicy) => boolean): FieldErrors {
  for (const error of errors) {
    if (error?.clusterPolicy === undefined || !isDisabled(error.clusterPolicy)) yield error;
  }
}

function podGateOf(policy: ClusterPolicy): string | undefined {
  return gatesOfPodRules.find((gate) => policy.startsWith(`${gate} `));
}

/** The gates of pods whose rules are broken. */
function gatesOf(errors: FieldErrors): ReadonlySet<string> {
  const gates = new Set<string>();
  for (const error of errors) {
    const gate = error?.clusterPolicy && podGateOf(error.clusterPolicy);
    if (gate !== undefined) gates.add(gate);
  }
  return gates;
}
