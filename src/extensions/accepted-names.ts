import { goQuote } from '../api/go/go-quote.ts';
import type { NewCondition } from './condition-changes.ts';
import { conditionOf, type Definition, type Names } from './definition.ts';

/** The outcome of checking a definition's names against the other definitions of its group. */
export interface NameDecision {
  readonly acceptedNames: Names;
  readonly conditions: readonly NewCondition[];
}

/** In this order: a later conflict overwrites the reason of an earlier one. */
const names = [
  { field: 'plural', reason: 'PluralConflict', of: 'resources' },
  { field: 'singular', reason: 'SingularConflict', of: 'resources' },
  { field: 'shortNames', reason: 'ShortNamesConflict', of: 'resources' },
  { field: 'kind', reason: 'KindConflict', of: 'kinds' },
  { field: 'listKind', reason: 'ListKindConflict', of: 'kinds' },
] as const;

/** Accepts the names not yet taken in the group. `used` are the names of all its definitions, including this one. */
export function decideNames(definition: Definition, used: UsedNames): NameDecision {
  const wanted = definition.spec.names ?? {};
  const accepted = definition.status?.acceptedNames ?? {};
  const after: Names = { ...accepted };
  let conflict: NewCondition | undefined;
  for (const { field, reason, of } of names) {
    const message =
      field === 'shortNames'
        ? shortNamesConflict(wanted.shortNames, accepted.shortNames, used[of])
        : nameConflict(wanted[field], accepted[field], used[of]);
    if (message !== undefined) conflict = { type: 'NamesAccepted', status: 'False', reason, message };
    else if (wanted[field] === undefined) delete after[field];
    else Object.assign(after, { [field]: wanted[field] });
  }
  if (wanted.categories === undefined) delete after.categories;
  else after.categories = wanted.categories;
  const namesAccepted = conflict ?? noConflicts;
  return { acceptedNames: after, conditions: [namesAccepted, establishedAfter(definition, namesAccepted)] };
}

const noConflicts: NewCondition = {
  type: 'NamesAccepted',
  status: 'True',
  reason: 'NoConflicts',
  message: 'no conflicts found',
};

/** The accepted names in a group. */
export class UsedNames {
  readonly resources = new CountedNames();
  readonly kinds = new CountedNames();

  add(definition: Definition): void {
    this.#count(definition, 1);
  }

  remove(definition: Definition): void {
    this.#count(definition, -1);
  }

  #count({ status }: Definition, by: 1 | -1): void {
    const { plural = '', singular = '', shortNames = [], kind = '', listKind = '' } = status?.acceptedNames ?? {};
    for (const name of [plural, singular, ...shortNames]) this.resources.count(name, by);
    for (const name of [kind, listKind]) this.kinds.count(name, by);
  }
}

class CountedNames {
  readonly #counts = new Map<string, number>();

  has(name: string): boolean {
    return this.#counts.has(name);
  }

  count(name: string, by: 1 | -1): void {
    const count = (this.#counts.get(name) ?? 0) + by;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }
}

function nameConflict(
  wanted: string | undefined = '',
  accepted: string | undefined = '',
  used: CountedNames,
): string | undefined {
  return wanted === accepted || !used.has(wanted) ? undefined : `${goQuote(wanted)} is already in use`;
}

/** Several conflicting names are reported together, each once. */
function shortNamesConflict(
  wanted: readonly string[] | undefined = [],
  accepted: readonly string[] | undefined = [],
  used: CountedNames,
): string | undefined {
  if (JSON.stringify(wanted) === JSON.stringify(accepted)) return undefined;
  const fresh = wanted.filter((name) => !accepted.includes(name));
  const conflicts = new Set(fresh.flatMap((name) => nameConflict(name, '', used) ?? []));
  if (conflicts.size === 0) return undefined;
  const [first = ''] = conflicts;
  return conflicts.size === 1 ? first : `[${[...conflicts].join(', ')}]`;
}

/** Established never goes back to False. */
function establishedAfter(definition: Definition, { status }: NewCondition): NewCondition {
  const before = conditionOf(definition, 'Established');
  const type = 'Established';
  if (before?.status !== 'True' && status === 'True') {
    return { type, status: 'False', reason: 'Installing', message: 'the initial names have been accepted' };
  }
  if (before === undefined) {
    return { type, status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
  }
  const { reason = '', message = '' } = before;
  // Conditions are written only here, so the status is one of ours.
  return { type, status: before.status as NewCondition['status'], reason, message };
}
