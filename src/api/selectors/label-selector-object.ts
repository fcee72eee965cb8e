import { goQuote } from '../go/go-quote.ts';
import { compareBytewise } from '../json/json-text.ts';
import {
  type LabelOperator,
  type LabelRequirement,
  type LabelSelector,
  SelectorSyntaxError,
} from './label-selector.ts';

/** meta/v1 LabelSelector, as in specs. */
export interface LabelSelectorObject {
  readonly matchLabels?: { readonly [key: string]: string };
  readonly matchExpressions?: readonly LabelExpression[];
}

export interface LabelExpression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

const operators: ReadonlyMap<string, LabelOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/** Parses a LabelSelector; undefined, which selects nothing, when absent. Throws a SelectorSyntaxError. */
export function selectorOfObject(object: LabelSelectorObject | undefined): LabelSelector | undefined {
  if (object === undefined) return undefined;
  const equals = Object.entries(object.matchLabels ?? {}).map(([key, value]): LabelRequirement => ({
    key,
    operator: '=',
    values: [value],
  }));
  const expressions = (object.matchExpressions ?? []).map(({ key, operator, values = [] }): LabelRequirement => {
    const known = operators.get(operator);
    if (known === undefined) {
      throw new SelectorSyntaxError(`${goQuote(operator)} is not a valid label selector operator`);
    }
    return { key, operator: known, values: [...new Set(values)] };
  });
  return [...equals, ...expressions];
}

/** The query form with sorted keys and values: `app=web,tier in (a,b),!canary`. */
export function formatLabelSelector(selector: LabelSelector): string {
  return selector
    .toSorted((a, b) => compareBytewise(a.key, b.key))
    .map(formatRequirement)
    .join(',');
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${values.toSorted(compareBytewise).join(',')})`;
    default:
      return `${key}${operator}${values.join(',')}`;
  }
}
