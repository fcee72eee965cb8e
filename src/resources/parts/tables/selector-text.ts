import type { LabelSelector, LabelSelectorRequirement } from '../../../schema/kubernetes/generated/types/meta-v1.ts';
import { byBytes } from './cell-text.ts';

type Labels = { readonly [key: string]: string };

/** `a=1,b=2`; `<none>` without labels. */
export function labelsText(labels: Labels = {}): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? '<none>' : pairs.toSorted(byBytes).join(',');
}

/** The query form of a label selector; empty if it selects everything, undefined if invalid. */
export function selectorQuery(selector: LabelSelector = {}): string | undefined {
  const equalities = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({
    key,
    text: `${key}=${value}`,
  }));
  const requirements: { key: string; text: string }[] = equalities;
  for (const requirement of selector.matchExpressions ?? []) {
    const text = requirementQuery(requirement);
    if (text === undefined) return undefined;
    requirements.push({ key: requirement.key ?? '', text });
  }
  return requirements
    .toSorted((a, b) => byBytes(a.key, b.key))
    .map(({ text }) => text)
    .join(',');
}

/** The cell of a selector: `<none>` if empty, `<error>` if invalid. */
export function selectorText(selector: LabelSelector | undefined): string {
  const query = selectorQuery(selector);
  if (query === undefined) return '<error>';
  return query === '' ? '<none>' : query;
}

function requirementQuery({ key = '', operator, values = [] }: LabelSelectorRequirement): string | undefined {
  const set = `(${values.toSorted(byBytes).join(',')})`;
  switch (operator) {
    case 'In':
      return values.length === 0 ? undefined : `${key} in ${set}`;
    case 'NotIn':
      return values.length === 0 ? undefined : `${key} notin ${set}`;
    case 'Exists':
      return values.length === 0 ? key : undefined;
    case 'DoesNotExist':
      return values.length === 0 ? `!${key}` : undefined;
    default:
      return undefined;
  }
}

/** A label selector in Go syntax, as in the ParamRef column of admission policy bindings. */
export function selectorFields({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.entries(matchLabels)
    .toSorted(([a], [b]) => byBytes(a, b))
    .map(([key, value]) => `${key}: ${value},`);
  const requirements = matchExpressions.map(
    ({ key = '', operator = '', values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return (
    `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},` +
    `MatchExpressions:[]LabelSelectorRequirement{${requirements.join('')}},}`
  );
}
