import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../api/json/json.ts';
import { StatusError } from '../api/errors/status.ts';
import { applyOperations, type PatchOperation } from './json-patch.ts';
import { PatchedDocument } from './patched-document.ts';

function patched(root: JsonObject, operations: readonly PatchOperation[]): JsonValue {
  const document = new PatchedDocument(root);
  applyOperations(document, operations);
  return document.root;
}

function codeOf(root: JsonObject, operations: readonly PatchOperation[]): number | undefined {
  try {
    patched(root, operations);
    return undefined;
  } catch (error) {
    if (error instanceof StatusError) return error.status.code;
    throw error;
  }
}

function nested(depth: number): JsonValue {
  let value: JsonValue = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

function times(count: number, make: (index: number) => PatchOperation): PatchOperation[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

describe('copies', () => {
  const doubling = (count: number) => times(count, (index) => ({ op: 'copy', from: '/x', path: `/x/k${index}` }));

  it('that double are refused when they have added 3 MiB', () => {
    expect(codeOf({ x: { a: ['xxxxxxxxxx'] } }, doubling(27))).toBe(422);
    expect(codeOf({ x: { a: ['xxxxxxxxxx'] } }, doubling(10))).toBeUndefined();
  });

  it('may add exactly 3 MiB of JSON', () => {
    const text = 'x'.repeat(1024 * 1024 - 2);
    const copies = times(3, (index) => ({ op: 'copy', from: '/x', path: `/y${index}` }));
    expect(codeOf({ x: text }, copies)).toBeUndefined();
    expect(codeOf({ x: `${text}x` }, copies)).toBe(422);
    expect(codeOf({ x: text, z: 1 }, [...copies, { op: 'copy', from: '/z', path: '/w' }])).toBe(422);
  });

  it('of null add nothing', () => {
    const text = 'x'.repeat(3 * 1024 * 1024 - 2);
    const copies = ['/x', '/n', '/n'].map((from, index) => ({ op: 'copy', from, path: `/y${index}` }));
    expect(codeOf({ x: text, n: null }, copies)).toBeUndefined();
  });
});

describe('a result that is too deep', () => {
  const step = (index: number): PatchOperation[] => [
    { op: 'add', path: '/u', value: { index } },
    { op: 'move', from: '/t', path: '/u/t' },
    { op: 'move', from: '/u', path: '/t' },
  ];
  it.each([
    ['moves', Array.from({ length: 10_100 }, (_, index) => step(index)).flat()],
    [
      'values',
      times(5, (index) => ({ op: 'replace', path: `/t${'/0'.repeat(1 + index * 2_100)}`, value: nested(2_100) })),
    ],
    ['copies', times(14, (index) => ({ op: 'copy', from: '/t', path: `/t${'/0'.repeat(2 ** index)}` }))],
  ])('for its %s is refused', (_, operations) => {
    const root = { t: nested(1) };
    expect(codeOf(root, operations)).toBe(422);
    expect(codeOf(root, operations.slice(0, 3))).toBeUndefined();
  });
});

describe('operations repeated thousands of times', () => {
  const many = 100_000;
  const members: JsonObject = Object.fromEntries(Array.from({ length: many }, (_, index) => [`k${index}`, index]));

  it('cost no more in large objects', () => {
    const startMs = performance.now();
    const document = new PatchedDocument({ members });
    const isOther: PatchOperation = { op: 'test', path: '/members', value: {} };
    for (const index of Array.from({ length: 5_000 }).keys()) {
      const change: PatchOperation = { op: index % 2 === 0 ? 'add' : 'remove', path: '/members/z', value: 1 };
      expect(() => applyOperations(document, [change, isOther])).toThrow(StatusError);
    }
    expect(performance.now() - startMs).toBeLessThan(20_000);
  });

  it('notice added and removed members', () => {
    const isWhole = (value: JsonObject): PatchOperation => ({ op: 'test', path: '/members', value });
    const operations: PatchOperation[] = [
      isWhole(members),
      { op: 'add', path: '/members/z', value: 1 },
      isWhole({ ...members, z: 1 }),
      { op: 'add', path: '/members/z', value: 2 },
      isWhole({ ...members, z: 2 }),
      { op: 'remove', path: '/members/z' },
      isWhole(members),
    ];
    expect(codeOf({ members }, operations)).toBeUndefined();
  });
});

it.each([
  '/'.repeat(1_000_000),
  `/x/${'a/'.repeat(1_000_000)}`,
  `/x/${'0'.repeat(1_000_000)}x`,
  `/l/${'9'.repeat(1_000_000)}`,
])('a path of a million characters finds nothing', (path) => {
  const startMs = performance.now();
  expect(codeOf({ x: [1], l: [1] }, [{ op: 'test', path, value: 1 }])).toBe(422);
  expect(performance.now() - startMs).toBeLessThan(10_000);
});

it.each([
  ['/l/-1', 3],
  ['/l/+1', 2],
  ['/l/0000000000000000000000', 1],
  ['/m/a~1b~01', 4],
])('%s finds a value', (path, value) => {
  expect(codeOf({ l: [1, 2, 3], m: { 'a/b~1': 4 } }, [{ op: 'test', path, value }])).toBeUndefined();
});
