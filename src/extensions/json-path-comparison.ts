import type { JsonValue } from '../api/json.ts';

/** Undefined where the values cannot be compared. */
export type Comparison = (a: JsonValue, b: JsonValue) => boolean | undefined;

const orders: { readonly [operator: string]: (order: number) => boolean } = {
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** What an operator of a JSON path compares; values of one type alone can be compared, and booleans have no order. */
export function comparisonOf(operator: string): Comparison {
  const decide = Object.hasOwn(orders, operator) ? orders[operator] : undefined;
  if (decide === undefined) return () => undefined;
  const isOrder = operator !== '==' && operator !== '!=';
  return (a, b) => {
    const type = typeOf(a);
    if (type === undefined || type !== typeOf(b) || (isOrder && type === 'boolean')) return undefined;
    return decide(a === b ? 0 : (a as string) < (b as string) ? -1 : 1); // both are of one scalar type
  };
}

function typeOf(value: JsonValue): string | undefined {
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number';
    case 'bigint':
      return 'integer';
    case 'object':
      return undefined;
    default:
      return typeof value;
  }
}
