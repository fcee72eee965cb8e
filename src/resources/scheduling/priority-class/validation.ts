import { forbiddenField } from '../../../api/errors/field-error.ts';
import type * as scheduling from '../../../schema/kubernetes/generated/types/scheduling-v1.ts';
import { preemption } from '../../parts/pod-template/pod-spec.ts';
import { type Errors, immutable } from '../../parts/rules/rules.ts';

/** The system's own classes. */
const systemClasses: { readonly [name: string]: number } = {
  'system-node-critical': 2000001000,
  'system-cluster-critical': 2000000000,
};

export function isSystemClass(name: string): boolean {
  return Object.hasOwn(systemClasses, name);
}

export function* priorityClass({
  metadata,
  value = 0,
  globalDefault,
  preemptionPolicy,
}: scheduling.PriorityClass): Errors {
  const name = metadata?.name ?? '';
  if (name.startsWith('system-')) {
    const problem = systemClassProblem(name, value, globalDefault === true);
    if (problem !== undefined) {
      const detail = "priority class names with 'system-' prefix are reserved for system use only. error: ";
      yield forbiddenField('metadata.name', detail + problem);
    }
  } else if (value > 1000000000) {
    yield forbiddenField('value', 'maximum allowed value of a user defined priority is 1000000000');
  }
  yield* preemption(preemptionPolicy, 'preemptionPolicy');
}

function systemClassProblem(name: string, value: number, globalDefault: boolean): string | undefined {
  if (!isSystemClass(name)) return `${name} is not a known system priority class`;
  const expected = systemClasses[name];
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

export function* priorityClassUpdate(object: scheduling.PriorityClass, old: scheduling.PriorityClass): Errors {
  if ((object.value ?? 0) !== (old.value ?? 0)) yield forbiddenField('value', 'may not be changed in an update.');
  yield* immutable(object.preemptionPolicy ?? null, old.preemptionPolicy ?? null, 'preemptionPolicy');
}
