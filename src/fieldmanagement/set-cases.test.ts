import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../api/json/json.ts';
import { FieldSet, type SetPattern } from './field-set.ts';
import { readFieldsV1, writeFieldsV1 } from './fields-v1.ts';
import {
  comparePathElements,
  FieldPathError,
  formatPath,
  formatPathElement,
  parsePathElement,
  type PathElement,
} from './path-element.ts';
import { casesOf, typeOfCase } from './testdata/read-schema.ts';

/** One call of the reference and its result; sets are in the form of managedFields. */
interface SetCase {
  readonly op: string;
  readonly schema?: string;
  readonly type?: string;
  readonly left?: JsonValue;
  readonly right?: JsonValue;
  readonly result?: JsonValue;
  readonly pattern?: SetPattern;
  readonly text?: string;
  readonly fails?: boolean;
  readonly unknown?: boolean;
  readonly shown?: string;
  readonly elements?: readonly string[];
}

const algebra = {
  Union: (left, right) => left.union(right),
  Intersection: (left, right) => left.intersection(right),
  Difference: (left, right) => left.difference(right),
  RecursiveDifference: (left, right) => left.recursiveDifference(right),
  Leaves: (left) => left.leaves(),
} satisfies { readonly [op: string]: (left: FieldSet, right: FieldSet) => FieldSet };

const cases = casesOf<SetCase>('sets.jsonl');
const casesWith = (op: string): (readonly [number, SetCase])[] =>
  cases.filter((each) => each.op === op).map((each, index) => [index + 1, each] as const);
const setOf = (value: JsonValue | undefined): FieldSet => readFieldsV1(value ?? {}).set;

describe.each(Object.entries(algebra))('%s', (op, run) => {
  it.each(casesWith(op))('case %i', (_, { left, right, result }) => {
    expect(JSON.stringify(writeFieldsV1(run(setOf(left), setOf(right))))).toBe(JSON.stringify(result));
  });
});

describe('sets', () => {
  it.each(casesWith('Equals'))('equality %i', (_, { left, right, result }) => {
    expect(setOf(left).equals(setOf(right))).toBe(result);
  });
  it.each(casesWith('Matching'))('pattern %i', (_, { left, pattern = 'all', result }) => {
    expect(writeFieldsV1(setOf(left).matching(pattern))).toEqual(result);
  });
  it.each(casesWith('NamedFields'))('named fields %i', (_, { left, schema = '', type = '', result }) => {
    expect(writeFieldsV1(setOf(left).withNamedFields(typeOfCase(schema, type)))).toEqual(result);
  });
});

describe('text', () => {
  it.each(casesWith('FromJSON'))('set %i', (_, { text = '', fails, result }) => {
    const read = (): JsonObject => writeFieldsV1(readFieldsV1(JSON.parse(text) as JsonValue).set);
    if (fails === true) expect(read).toThrow(Error);
    else expect(JSON.stringify(read())).toBe(JSON.stringify(result));
  });
  it.each(casesWith('Element'))('step %i', (_, { text = '', fails, unknown, result, shown }) => {
    if (unknown === true) {
      expect(parsePathElement(text)).toBeUndefined();
    } else if (fails === true) {
      expect(() => parsePathElement(text)).toThrow(FieldPathError);
    } else {
      const element = parsePathElement(text) ?? '';
      expect(element).toBe(result);
      expect(formatPathElement(element)).toBe(shown);
    }
  });
  it.each(casesWith('Path'))('path %i', (_, { elements = [], shown }) => {
    expect(formatPath(elements.map((each) => parsePathElement(each) ?? ''))).toBe(shown);
  });
  it.each(casesWith('Compare'))('order %i', (_, { left, right, result }) => {
    const [a, b] = [elementOf(left), elementOf(right)];
    expect(Math.sign(comparePathElements(a, b))).toBe(result);
  });
});

function elementOf(text: JsonValue | undefined): PathElement {
  const element = typeof text === 'string' ? parsePathElement(text) : undefined;
  if (element === undefined) throw new Error('elements of these cases are texts');
  return element;
}
