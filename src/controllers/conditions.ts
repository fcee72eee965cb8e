/** A stored condition. */
export type StoredCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number | bigint;
};

export type NewCondition = {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
};

/** The conditions with one of its type replaced or appended; its time changes only with its status. */
export function withCondition<C extends StoredCondition>(
  conditions: readonly C[],
  condition: NewCondition,
  now: string,
): (C | (NewCondition & { readonly lastTransitionTime: string }))[] {
  const known = conditions.find(({ type }) => type === condition.type);
  const isSame = known?.status === condition.status;
  const next = { ...condition, lastTransitionTime: isSame ? (known.lastTransitionTime ?? now) : now };
  return known === undefined ? [...conditions, next] : conditions.map((each) => (each === known ? next : each));
}

export function isTrue(conditions: readonly StoredCondition[] | undefined, type: string): boolean {
  return conditions?.find((each) => each.type === type)?.status === 'True';
}
