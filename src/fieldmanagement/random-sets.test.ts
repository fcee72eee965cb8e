import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FieldSet } from './field-set.ts';
import { readFieldsV1, writeFieldsV1 } from './fields-v1.ts';
import type { PathElement } from './path-element.ts';
import { casesOf } from './testdata/read-schema.ts';

/** Random sets from a fixed seed, and digests of the reference's results. */
interface RandomCase {
  readonly count: number;
  /** Number of paths per set; also the seed. */
  readonly size: number;
  readonly shortest: number;
  readonly longest: number;
  readonly paths: number;
  readonly operands: string;
  readonly Union: string;
  readonly Intersection: string;
  readonly Difference: string;
  readonly RecursiveDifference: string;
  readonly Leaves: string;
}

const [alphabet = [], ...rows] = casesOf<readonly PathElement[] | RandomCase>('random-sets.jsonl');
// The first line lists the path elements, the others are cases.
const steps = alphabet as readonly PathElement[];
const cases = rows as readonly RandomCase[];

/** Random numbers as in the recording program. */
function randomBelow(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

function setsOf({ count, size, shortest, longest }: RandomCase): readonly FieldSet[] {
  const below = randomBelow(size);
  const path = (): PathElement[] => {
    const length = shortest + below(longest + 1 - shortest);
    return Array.from({ length }, () => steps[below(steps.length)] ?? '');
  };
  return Array.from({ length: count }, () => FieldSet.of(...Array.from({ length: size }, path)));
}

function digestOf(sets: readonly FieldSet[]): string {
  const hash = createHash('sha256');
  for (const set of sets) hash.update(`${JSON.stringify(writeFieldsV1(set))}\n`);
  return hash.digest('hex').slice(0, 16);
}

describe.each(cases)('$count sets of $size paths', (each) => {
  const sets = setsOf(each);
  const other = (index: number): FieldSet => sets[(index + 1) % sets.length] ?? new FieldSet();

  it('match the recorded ones', () => {
    expect(digestOf(sets)).toBe(each.operands);
    expect(sets.reduce((sum, set) => sum + [...set.paths()].length, 0)).toBe(each.paths);
  });

  it('produce the recorded sets', () => {
    expect(digestOf(sets.map((set, index) => set.union(other(index))))).toBe(each.Union);
    expect(digestOf(sets.map((set, index) => set.intersection(other(index))))).toBe(each.Intersection);
    expect(digestOf(sets.map((set, index) => set.difference(other(index))))).toBe(each.Difference);
    expect(digestOf(sets.map((set, index) => set.recursiveDifference(other(index))))).toBe(each.RecursiveDifference);
    expect(digestOf(sets.map((set) => set.leaves()))).toBe(each.Leaves);
  });

  it('round-trip', () => {
    for (const set of sets) {
      const read = readFieldsV1(JSON.parse(JSON.stringify(writeFieldsV1(set))));
      expect(read.isCanonical).toBe(true);
      expect(read.set.equals(set)).toBe(true);
    }
  });

  it('obey the laws of sets', () => {
    for (const [index, one] of sets.entries()) {
      const two = other(index);
      const [all, both] = [one.union(two), one.intersection(two)];
      const onlyOnce = one.difference(two).union(two.difference(one));
      expect(all.equals(two.union(one))).toBe(true);
      expect(both.equals(two.intersection(one))).toBe(true);
      expect(both.equals(all.difference(onlyOnce))).toBe(true);
      expect(one.difference(two).union(both).equals(one)).toBe(true);
      expect(one.difference(one).isEmpty).toBe(true);
      expect(one.recursiveDifference(two).difference(one.difference(two)).isEmpty).toBe(true);
      expect(one.leaves().difference(one).isEmpty).toBe(true);
    }
  });
});
