import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../api/json/json.ts';
import { filterComparison } from './compare.ts';
import { excluding, FieldSet } from './field-set.ts';
import { readFieldsV1, writeFieldsV1 } from './fields-v1.ts';
import { parsePathElement } from './path-element.ts';
import { casesOf } from './testdata/read-schema.ts';
import type { ManagedSet } from './testdata/run-case.ts';
import { compareValues, equalValues } from './values.ts';

/** One call of the reference and its result. */
interface QueryCase {
  readonly op: string;
  readonly left: JsonValue;
  readonly right: JsonValue;
  readonly result: JsonValue;
}

const cases = casesOf<QueryCase>('sets.jsonl');
const casesWith = <T = QueryCase>(op: string): (readonly [number, T])[] =>
  // All rows of an operation have its shape.
  cases.filter((each) => each.op === op).map((each, index) => [index + 1, each as T] as const);
const setOf = (value: JsonValue): FieldSet => readFieldsV1(value).set;
const pathOf = (elements: readonly string[]) => elements.map((each) => parsePathElement(each) ?? '');

describe('paths of a set', () => {
  it.each(casesWith<{ left: JsonValue; elements: readonly string[]; result: boolean }>('Has'))(
    'has %i',
    (_, { left, elements, result }) => {
      expect(setOf(left).has(pathOf(elements))).toBe(result);
    },
  );
  it.each(casesWith('Size'))('size %i', (_, { left, result }) => {
    const set = setOf(left);
    expect([...set.paths()].length).toBe(result);
    expect(set.isEmpty).toBe(result === 0);
  });
  it.each(casesWith('Iterate'))('order %i', (_, { left, result }) => {
    expect([...setOf(left).paths()]).toEqual(result);
  });
});

describe('values', () => {
  it.each(casesWith('ValueCompare'))('order %i', (_, { left, right, result }) => {
    expect(Math.sign(compareValues(left, right))).toBe(result);
    expect(Math.sign(compareValues(right, left))).toBe(-Number(result) + 0);
  });
  it.each(casesWith('ValueEquals'))('equality %i', (_, { left, right, result }) => {
    expect(equalValues(left, right)).toBe(result);
    expect(equalValues(right, left)).toBe(result);
  });
});

describe('comparisons', () => {
  type Changes = { readonly added: JsonObject; readonly modified: JsonObject; readonly removed: JsonObject };
  it.each(casesWith<Changes & { set: JsonObject; result: Changes }>('ExcludeFields'))(
    'excluded fields %i',
    (_, { added, modified, removed, set, result }) => {
      const comparison = { added: setOf(added), modified: setOf(modified), removed: setOf(removed) };
      const left = filterComparison(comparison, excluding(setOf(set)));
      const { added: a, modified: m, removed: r } = left;
      expect({
        added: writeFieldsV1(a),
        modified: writeFieldsV1(m),
        removed: writeFieldsV1(r),
      }).toEqual(result);
    },
  );
});

type ManagedSets = { readonly [manager: string]: ManagedSet };

describe('managers', () => {
  it.each(casesWith<{ left: ManagedSets; right: ManagedSets; result: boolean }>('ManagersEquals'))(
    'equality %i',
    (_, { left, right, result }) => {
      const names = new Set([...Object.keys(left), ...Object.keys(right)]);
      const areEqual = [...names].every((name) => {
        const [one, other] = [left[name], right[name]];
        if (one === undefined || other === undefined) return false;
        const isSameSet = setOf(one.fields).equals(setOf(other.fields));
        return isSameSet && one.version === other.version && one.applied === other.applied;
      });
      expect(areEqual).toBe(result);
    },
  );
  it.each(casesWith<{ left: ManagedSets; right: ManagedSets; result: ManagedSets }>('ManagersDifference'))(
    'difference %i',
    (_, { left, right, result }) => {
      const names = new Set([...Object.keys(left), ...Object.keys(right)]);
      const different = [...names].flatMap((name) => {
        const set = differenceOf(left[name], right[name]);
        return set.isEmpty ? [] : [[name, writeFieldsV1(set)] as const];
      });
      const expected = Object.entries(result).map(([name, { fields }]) => [name, fields] as const);
      expect(Object.fromEntries(different)).toEqual(Object.fromEntries(expected));
    },
  );
});

/** The symmetric difference; sets of different versions differ as a whole. */
function differenceOf(left: ManagedSet | undefined, right: ManagedSet | undefined): FieldSet {
  if (left === undefined || right === undefined) return setOf((left ?? right)?.fields ?? {});
  const [one, other] = [setOf(left.fields), setOf(right.fields)];
  return left.version === right.version ? one.difference(other).union(other.difference(one)) : other;
}
