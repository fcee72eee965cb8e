import { keptBy } from '../../api/collections/kept-by.ts';
import type { UserInfo } from '../../api/contracts/user.ts';
import type { PolicyRulesWithSubjects, Subject } from '../../schema/kubernetes/generated/types/flowcontrol-v1.ts';
import type { FlowRequest } from './flow-request.ts';
import { type RequestMatcher, ruleMatcher } from './rule-matcher.ts';

export interface ClassifiedBy {
  readonly rules: readonly PolicyRulesWithSubjects[];
}

interface PlacedRule {
  /** The position of its schema. */
  readonly place: number;
  readonly matches: RequestMatcher;
}

/**
 * Finds the first of several schemas that matches a request. Rules are found by the user's name and groups, once per
 * user, so that a request only visits those that are about its user.
 */
export class Classifier<Schema extends ClassifiedBy> {
  readonly #schemas: readonly Schema[];
  readonly #fallback: Schema;
  /** By subject; rules in the order of their schemas. */
  readonly #bySubject = new Map<string, PlacedRule[]>();
  readonly #rulesOf = keptBy((user: UserInfo) => this.#rulesFor(user));

  /** `schemas` in the order of precedence; `fallback` if none matches. */
  constructor(schemas: readonly Schema[], fallback: Schema) {
    this.#schemas = schemas;
    this.#fallback = fallback;
    for (const [place, { rules }] of schemas.entries()) for (const rule of rules) this.#add(rule, place);
  }

  classify(request: FlowRequest): Schema {
    for (const { place, matches } of this.#rulesOf(request.user)) {
      if (matches(request)) return this.#schemas[place] ?? this.#fallback;
    }
    return this.#fallback;
  }

  #add(rule: PolicyRulesWithSubjects, place: number): void {
    const placed = { place, matches: ruleMatcher(rule) };
    for (const key of new Set(rule.subjects?.flatMap(keysOfSubject))) {
      const known = this.#bySubject.get(key);
      if (known === undefined) this.#bySubject.set(key, [placed]);
      else known.push(placed);
    }
  }

  #rulesFor(user: UserInfo): readonly PlacedRule[] {
    const found = new Set<PlacedRule>();
    for (const key of keysOfUser(user)) for (const rule of this.#bySubject.get(key) ?? []) found.add(rule);
    return [...found].toSorted((a, b) => a.place - b.place);
  }
}

const accountPrefix = 'system:serviceaccount:';

function keysOfSubject({ kind, user, group, serviceAccount }: Subject): readonly string[] {
  if (kind === 'User' && user !== undefined) return [`User ${user.name}`];
  if (kind === 'Group' && group !== undefined) return [`Group ${group.name}`];
  if (kind !== 'ServiceAccount' || serviceAccount === undefined) return [];
  const { namespace = '', name = '' } = serviceAccount;
  return [name === '*' ? `Accounts ${namespace}` : `User ${accountPrefix}${namespace}:${name}`];
}

function* keysOfUser({ name, groups }: UserInfo): Generator<string> {
  yield 'User *';
  yield `User ${name}`;
  yield 'Group *';
  for (const group of groups) yield `Group ${group}`;
  if (!name.startsWith(accountPrefix)) return;
  const end = name.indexOf(':', accountPrefix.length);
  if (end >= 0) yield `Accounts ${name.slice(accountPrefix.length, end)}`;
}
