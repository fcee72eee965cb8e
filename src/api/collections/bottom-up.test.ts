import { expect, it } from 'vitest';
import { bottomUp } from './bottom-up.ts';

interface Tree {
  readonly name: string;
  readonly below: readonly Tree[];
}

function chain(levels: number, end: Tree): Tree {
  let tree = end;
  for (let level = 0; level < levels; level++) tree = { name: `${level}`, below: [tree] };
  return tree;
}

const height = bottomUp((tree: Tree, added: number): number => {
  return added + Math.max(0, ...tree.below.map((below) => height(below, added)));
}, 0);

it('computes what is deeper than the stack', () => {
  expect(height(chain(100_000, { name: 'end', below: [] }), 1)).toBe(100_001);
});

it('tells calls apart by both arguments', () => {
  const shared = chain(1_000, { name: 'end', below: [] });
  const sum = bottomUp((tree: Tree, added: number): number => {
    return tree.below.reduce((total, below, index) => total + sum(below, added + index), added);
  }, 0);
  // The second time each of its levels counts 1 more.
  expect(sum({ name: 'root', below: [shared, shared] }, 0)).toBe(1_001);
});

it('tells calls apart by all three arguments', () => {
  const named = bottomUp((tree: Tree, prefix: string, end: number): string => {
    const inner = tree.below.map((below, index) => named(below, prefix, end + index));
    return inner.length === 0 ? `${prefix}${end}` : inner.join();
  }, '');
  const shared = chain(1_000, { name: 'end', below: [] });
  expect(named({ name: 'root', below: [shared, shared] }, 'x', 1)).toBe('x1,x2');
});

it('computes each part about twice', () => {
  let calls = 0;
  const leaves = bottomUp((tree: Tree): number => {
    calls += 1;
    return tree.below.length === 0 ? 1 : tree.below.reduce((total, below) => total + leaves(below), 0);
  }, 0);
  const branch = chain(10_000, { name: 'end', below: [] });
  expect(leaves({ name: 'root', below: [branch, chain(10_000, branch)] })).toBe(2);
  // What fits the stack, too, where a call begins in the middle of it.
  expect(calls).toBeLessThan(2.1 * 20_003);
});

it('leaves nothing behind when it fails', () => {
  const failing = bottomUp((tree: Tree): boolean => {
    if (tree.name === 'bad') throw new Error('bad');
    return tree.below.every((below) => failing(below));
  }, true);
  expect(() => failing(chain(10_000, { name: 'bad', below: [] }))).toThrow('bad');
  expect(failing(chain(10_000, { name: 'good', below: [] }))).toBe(true);
});
