import type { Condition, ConditionType, Definition } from './definition.ts';

/** A condition without its lastTransitionTime. */
export interface NewCondition {
  readonly type: ConditionType;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/** Replaces the condition of the same type, or appends it. lastTransitionTime changes only with the status. */
export function withCondition(definition: Definition, condition: NewCondition, now: string): Definition {
  const { conditions = [], ...status } = definition.status ?? {};
  const before = conditions.find(({ type }) => type === condition.type);
  const since = before?.status === condition.status ? before.lastTransitionTime : undefined;
  const after: Condition = { ...before, ...condition, lastTransitionTime: since ?? now };
  const changed =
    before === undefined ? [...conditions, after] : conditions.map((each) => (each === before ? after : each));
  return { ...definition, status: { ...status, conditions: changed } };
}

export function withoutCondition(definition: Definition, type: ConditionType): Definition {
  const { conditions = [], ...status } = definition.status ?? {};
  return { ...definition, status: { ...status, conditions: conditions.filter((each) => each.type !== type) } };
}

/** Whether the condition is there already, whenever it came. */
export function hasCondition({ status }: Definition, wanted: NewCondition): boolean {
  const { type, reason, message } = wanted;
  return (status?.conditions ?? []).some(
    (each) => each.type === type && each.status === wanted.status && each.reason === reason && each.message === message,
  );
}
