import { escapeHtml } from '../../../api/go/go-quote.ts';
import { internalValue } from './internal-value.ts';

// Diffs of objects as shown in messages of the reference: unified, three lines of context, over indented JSON.
// Matching is Ratcliff-Obershelp: the longest common block first, then recursively before and after it.

/** `count` lines starting at `a` equal those starting at `b`. */
interface Block {
  readonly a: number;
  readonly b: number;
  readonly count: number;
}

/** A range of lines replaced by another; equal ranges are context. */
interface Change {
  readonly equal: boolean;
  readonly fromA: number;
  readonly toA: number;
  readonly fromB: number;
  readonly toB: number;
}

const context = 3;

// Larger objects are not diffed: nobody reads such a diff, and the reference takes minutes for some.
const maxJsonChars = 96 * 1024;
const maxComparisons = 10_000_000;
const tooLarge = '(the difference is too large to be shown)\n';

/** The diff of two decoded values of an internal type; empty if both print alike. */
export function internalDiff(type: string, old: unknown, value: unknown): string {
  const chars = [old, value].map((one) => jsonOf(one, '').length);
  if (Math.max(...chars) > maxJsonChars) return tooLarge;
  const before = lines(type, old);
  const after = lines(type, value);
  return unifiedDiff(before, after);
}

function lines(type: string, value: unknown): readonly string[] {
  const shown = internalValue(type, value);
  const text = escapeHtml(jsonOf(shown, ' '));
  return text.split('\n');
}

function jsonOf(value: unknown, indent: string): string {
  // Undefined for undefined, which the declared type does not say.
  return (JSON.stringify(value, withLargeIntegers, indent) as string | undefined) ?? '';
}

/** JSON with `rawJSON` of ECMAScript 2026, which TypeScript's library lacks. */
interface Json26 {
  readonly rawJSON: (text: string) => unknown;
}

/** JSON.stringify does not support BigInt. */
function withLargeIntegers(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? (JSON as unknown as Json26).rawJSON(String(value)) : value;
}

function unifiedDiff(a: readonly string[], b: readonly string[]): string {
  const blocks = matchingBlocks(a, b);
  if (blocks === undefined) return tooLarge;
  let text = '';
  for (const group of grouped(changes(blocks))) {
    const [first, last] = [group[0], group.at(-1)];
    if (first === undefined || last === undefined) continue;
    text += `@@ -${range(first.fromA, last.toA)} +${range(first.fromB, last.toB)} @@\n`;
    for (const change of group) {
      const removed = a.slice(change.fromA, change.toA);
      if (change.equal) text += removed.map((line) => ` ${line}\n`).join('');
      else {
        text += removed.map((line) => `-${line}\n`).join('');
        text += b
          .slice(change.fromB, change.toB)
          .map((line) => `+${line}\n`)
          .join('');
      }
    }
  }
  return text;
}

function range(from: number, to: number): string {
  const count = to - from;
  if (count === 1) return `${from + 1}`;
  return `${count === 0 ? from : from + 1},${count}`;
}

/** Line numbers of each line of `b`; very frequent lines of a long text are skipped. */
function positions(b: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [index, line] of b.entries()) {
    const list = found.get(line);
    if (list === undefined) found.set(line, [index]);
    else list.push(index);
  }
  if (b.length < 200) return found;
  const limit = Math.floor(b.length / 100) + 1;
  return new Map([...found].filter(([, list]) => list.length <= limit));
}

interface Area {
  readonly fromA: number;
  readonly toA: number;
  readonly fromB: number;
  readonly toB: number;
}

interface Texts {
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly inB: ReadonlyMap<string, readonly number[]>;
  /** Number of comparisons so far. */
  effort: number;
}

/** Undefined when there are too many comparisons. */
function matchingBlocks(a: readonly string[], b: readonly string[]): Block[] | undefined {
  const texts: Texts = { a, b, inB: positions(b), effort: 0 };
  const blocks: Block[] = [];
  const areas: Area[] = [{ fromA: 0, toA: a.length, fromB: 0, toB: b.length }];
  for (let area = areas.pop(); area !== undefined; area = areas.pop()) {
    const block = longestMatch(texts, area);
    if (texts.effort > maxComparisons) return undefined;
    if (block.count === 0) continue;
    blocks.push(block);
    const [endA, endB] = [block.a + block.count, block.b + block.count];
    if (area.fromA < block.a && area.fromB < block.b) areas.push({ ...area, toA: block.a, toB: block.b });
    if (endA < area.toA && endB < area.toB) areas.push({ ...area, fromA: endA, fromB: endB });
  }
  blocks.sort((one, other) => one.a - other.a);
  blocks.push({ a: a.length, b: b.length, count: 0 });
  return blocks;
}

function longestMatch(texts: Texts, area: Area): Block {
  const { a, b, inB } = texts;
  let best: Block = { a: area.fromA, b: area.fromB, count: 0 };
  let lengths = new Map<number, number>();
  for (let i = area.fromA; i < area.toA; i++) {
    const next = new Map<number, number>();
    const found = inB.get(a[i] ?? '') ?? [];
    texts.effort += found.length + 1;
    if (texts.effort > maxComparisons) break;
    for (const j of found) {
      if (j < area.fromB) continue;
      if (j >= area.toB) break;
      const count = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, count);
      if (count > best.count) best = { a: i - count + 1, b: j - count + 1, count };
    }
    lengths = next;
  }
  let { a: startA, b: startB, count } = best;
  while (startA > area.fromA && startB > area.fromB && a[startA - 1] === b[startB - 1]) {
    startA--;
    startB--;
    count++;
  }
  while (startA + count < area.toA && startB + count < area.toB && a[startA + count] === b[startB + count]) count++;
  return { a: startA, b: startB, count };
}

function changes(blocks: readonly Block[]): Change[] {
  const list: Change[] = [];
  let [a, b] = [0, 0];
  for (const block of blocks) {
    if (a < block.a || b < block.b) list.push({ equal: false, fromA: a, toA: block.a, fromB: b, toB: block.b });
    [a, b] = [block.a + block.count, block.b + block.count];
    if (block.count === 0) continue;
    const previous = list.at(-1);
    if (previous?.equal) list[list.length - 1] = { ...previous, toA: a, toB: b };
    else list.push({ equal: true, fromA: block.a, toA: a, fromB: block.b, toB: b });
  }
  return list;
}

/** Groups nearby changes into hunks with context. */
function grouped(list: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  let group: Change[] = [];
  for (const [index, change] of list.entries()) {
    if (!change.equal) {
      group.push(change);
      continue;
    }
    const length = change.toA - change.fromA;
    const head: Change = { ...change, toA: change.fromA + context, toB: change.fromB + context };
    const tail: Change = { ...change, fromA: change.toA - context, fromB: change.toB - context };
    const [isFirst, isLast] = [index === 0, index === list.length - 1];
    if (isFirst && isLast) continue;
    if (isFirst) group.push(length > context ? tail : change);
    else if (isLast) group.push(length > context ? head : change);
    else if (length > 2 * context) {
      groups.push([...group, head]);
      group = [tail];
    } else group.push(change);
  }
  if (group.some((change) => !change.equal)) groups.push(group);
  return groups;
}
