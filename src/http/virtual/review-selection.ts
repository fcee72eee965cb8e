import type { AttributeSelectors } from '../../api/contracts/authorization.ts';
import { type FieldRequirement, parseFieldSelector } from '../../api/selectors/field-selector.ts';
import { type LabelRequirement, parseLabelSelector, SelectorSyntaxError } from '../../api/selectors/label-selector.ts';
import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
  ResourceAttributes,
} from '../../schema/kubernetes/generated/types/authorization-v1.ts';
import type {
  FieldSelectorRequirement,
  LabelSelectorRequirement,
} from '../../schema/kubernetes/generated/types/meta-v1.ts';

/** The parseable selectors of a review, and the errors of the rest: without those requirements the query is broader. */
export interface ReviewSelection {
  readonly selectors: AttributeSelectors | undefined;
  readonly problems: readonly string[];
}

export function selectionOf({ fieldSelector, labelSelector }: ResourceAttributes): ReviewSelection {
  if (fieldSelector === undefined && labelSelector === undefined) return { selectors: undefined, problems: [] };
  const fields = read(fieldSelector, { parse: parseFieldSelector, convert: fieldRequirement });
  const labels = read(labelSelector, { parse: parseLabelSelector, convert: labelRequirement });
  return {
    selectors: { fields: fields.requirements, labels: labels.requirements },
    problems: [...problemOf('fieldSelector', fields), ...problemOf('labelSelector', labels)],
  };
}

interface ReadSelector<T> {
  readonly requirements: readonly T[];
  readonly isWhole: boolean;
}

function read<From, To>(
  selector: (FieldSelectorAttributes | LabelSelectorAttributes) | undefined,
  {
    parse,
    convert,
  }: { readonly parse: (text: string) => readonly To[]; readonly convert: (requirement: From) => To | undefined },
): ReadSelector<To> {
  const { rawSelector = '', requirements = [] } = selector ?? {};
  if (requirements.length === 0) return readRaw(rawSelector, parse);
  // Field and label requirements have the same shape.
  const known = (requirements as readonly unknown[] as readonly From[])
    .map(convert)
    .filter((requirement) => requirement !== undefined);
  return { requirements: known, isWhole: known.length === requirements.length };
}

function readRaw<T>(text: string, parse: (text: string) => readonly T[]): ReadSelector<T> {
  try {
    return { requirements: parse(text), isWhole: true };
  } catch (error) {
    if (!(error instanceof SelectorSyntaxError)) throw error;
    return { requirements: [], isWhole: false };
  }
}

function problemOf(name: string, { requirements, isWhole }: ReadSelector<unknown>): readonly string[] {
  if (isWhole) return [];
  const how = requirements.length > 0 ? 'partially ignored' : 'ignored';
  return [`spec.resourceAttributes.${name} ${how} due to parse error`];
}

const fieldOperators: ReadonlyMap<string, FieldRequirement['operator']> = new Map([
  ['In', '='],
  ['NotIn', '!='],
]);

function fieldRequirement({ key = '', operator = '', values = [] }: FieldSelectorRequirement) {
  const known = fieldOperators.get(operator);
  const [value, ...more] = values;
  return known === undefined || value === undefined || more.length > 0
    ? undefined
    : { field: key, operator: known, value };
}

const labelOperators: ReadonlyMap<string, LabelRequirement['operator']> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

function labelRequirement({ key = '', operator = '', values = [] }: LabelSelectorRequirement) {
  const known = labelOperators.get(operator);
  return known === undefined ? undefined : { key, operator: known, values };
}
