import type { JsonValue } from '../api/json/json.ts';

/** Undefined when the values cannot be compared. */
export type Comparison = (a: JsonValue, b: JsonValue) => boolean | undefined;

const orders: { readonly [operator: string]: (order: number) => boolean } = {
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** Comparison operators of JSON path filters. Only values of the same type compare, and booleans are unordered. */
export function comparisonOf(operator: string): Comparison {
  const decide = Object.hasOwn(orders, operator) ? orders[operator] : undefined;
  if (decide === undefined) return () => undefined;
  const isOrder = operator !== '==' && operator !== '!=';
  return (a, b) => {
    const type = typeOf(a);
    if (type === undefined || type !== typeOf(b) || (isOrder && type === 'boolean')) return undefined;
    return decide(a === b ? 0 : (a as string) < (b as string) ? -1 : 1); // both are scalars of the same type
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
