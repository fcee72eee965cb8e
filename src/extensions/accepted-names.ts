import { goQuote } from '../api/go-quote.ts';
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

/** Accepts the names not yet taken in the group. `group` is every definition of the group, including this one. */
export function decideNames(definition: Definition, group: readonly Definition[]): NameDecision {
  const used = usedNames(group);
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

interface UsedNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

function usedNames(group: readonly Definition[]): UsedNames {
  const accepted = group.map(({ status }) => status?.acceptedNames ?? {});
  return {
    resources: new Set(
      accepted.flatMap(({ plural = '', singular = '', shortNames = [] }) => [plural, singular, ...shortNames]),
    ),
    kinds: new Set(accepted.flatMap(({ kind = '', listKind = '' }) => [kind, listKind])),
  };
}

function nameConflict(wanted = '', accepted = '', used: ReadonlySet<string> = new Set()): string | undefined {
  return wanted === accepted || !used.has(wanted) ? undefined : `${goQuote(wanted)} is already in use`;
}

/** Several conflicting names are reported together, each once. */
function shortNamesConflict(
  wanted: readonly string[] = [],
  accepted: readonly string[] = [],
  used: ReadonlySet<string> = new Set(),
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
