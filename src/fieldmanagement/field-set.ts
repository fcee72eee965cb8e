import type { JsonObject } from '../api/json.ts';
import { sortedInTurns } from '../api/sorted-in-turns.ts';
import type { Work } from '../api/turns.ts';
import {
  comparePathElements,
  comparisonOfMany,
  type FieldPath,
  fieldNameOf,
  type PathElement,
} from './path-element.ts';
import type { MergeType } from './merge-type.ts';

/** What a set knows below one step. */
interface FieldNode {
  /** The path that ends here is in the set. */
  readonly member: boolean;
  /** Longer paths; never empty. */
  readonly children: FieldSet | undefined;
}

/** Nodes of a large set. */
const largeSize = 2_000;

/** Most nodes are like this one. */
const leaf: FieldNode = { member: true, children: undefined };

/**
 * A set of field paths, as a tree. A path may be in it beside longer ones that begin with it:
 *
 *   f:metadata                member: no
 *     f:labels                member: yes   (written as "." in managedFields)
 *       f:app                 member: yes
 *
 * Sets do not change once they are built (`insert` is for builders); parts are shared between them.
 */
export class FieldSet {
  readonly #nodes: Map<PathElement, FieldNode>;
  #written: { readonly member: boolean; readonly fields: JsonObject } | undefined;

  constructor(nodes: Map<PathElement, FieldNode> = new Map()) {
    this.#nodes = nodes;
  }

  static of(...paths: readonly FieldPath[]): FieldSet {
    const set = new FieldSet();
    for (const path of paths) set.insert(path);
    return set;
  }

  get isEmpty(): boolean {
    return this.#nodes.size === 0;
  }

  /** Only for sets that nobody else has yet. The empty path is in no set. */
  insert(path: FieldPath): void {
    const last = path.at(-1);
    if (last === undefined) return;
    path
      .slice(0, -1)
      .reduce<FieldSet>((set, element) => set.#descend(element), this)
      .insertMember(last);
  }

  /** The same for a path of one step. */
  insertMember(element: PathElement): void {
    const node = this.#nodes.get(element);
    if (node === undefined) this.#nodes.set(element, leaf);
    else if (!node.member) this.#nodes.set(element, { member: true, children: node.children });
  }

  /** Puts a set below a step; whoever builds `children` has finished it. */
  insertChildren(element: PathElement, children: FieldSet): void {
    if (!children.isEmpty) this.#put(element, { member: this.#nodes.get(element)?.member === true, children });
  }

  #descend(element: PathElement): FieldSet {
    const node = this.#nodes.get(element);
    if (node?.children !== undefined) return node.children;
    const children = new FieldSet();
    this.#nodes.set(element, { member: node?.member === true, children });
    return children;
  }

  #put(element: PathElement, { member, children }: FieldNode): void {
    const kept = children?.isEmpty === false ? children : undefined;
    if (kept !== undefined) this.#nodes.set(element, { member, children: kept });
    else if (member) this.#nodes.set(element, leaf);
  }

  has(path: FieldPath): boolean {
    const parent = path.slice(0, -1).reduce<FieldSet | undefined>((set, element) => set?.childrenOf(element), this);
    return parent?.hasMember(path.at(-1) ?? '') === true;
  }

  hasMember(element: PathElement): boolean {
    return this.#nodes.get(element)?.member === true;
  }

  /** What is in the set below a step; undefined when nothing is. */
  childrenOf(element: PathElement): FieldSet | undefined {
    return this.#nodes.get(element)?.children;
  }

  union(other: FieldSet): FieldSet {
    if (this.isEmpty || this === other) return other;
    if (other.isEmpty) return this;
    // Most of what is joined is there already: the result is then this set itself.
    let nodes: Map<PathElement, FieldNode> | undefined;
    for (const [element, right] of other.#nodes) {
      const left = this.#nodes.get(element);
      const joined = left === undefined ? right : unionOf(left, right);
      if (joined !== left) (nodes ??= new Map(this.#nodes)).set(element, joined);
    }
    return nodes === undefined ? this : new FieldSet(nodes);
  }

  /** Costs what the sets cost, however many they are. */
  static unionOf(sets: readonly FieldSet[]): FieldSet {
    let unions = sets;
    while (unions.length > 1) {
      const pairs = unions;
      unions = pairs.flatMap((set, index) => (index % 2 === 0 ? [set.union(pairs[index + 1] ?? emptySet)] : []));
    }
    return unions[0] ?? emptySet;
  }

  intersection(other: FieldSet): FieldSet {
    if (other.#nodes.size < this.#nodes.size) return other.intersection(this);
    const result = new FieldSet();
    for (const [element, left] of this.#nodes) {
      const right = other.#nodes.get(element);
      if (right === undefined) continue;
      const children =
        left.children !== undefined && right.children !== undefined
          ? left.children.intersection(right.children)
          : undefined;
      result.#put(element, { member: left.member && right.member, children });
    }
    return result;
  }

  /** Without the paths of `other`; what lies below those stays. */
  difference(other: FieldSet): FieldSet {
    if (other.isEmpty || this.isEmpty) return this;
    const result = new FieldSet();
    for (const [element, left] of this.#nodes) {
      const right = other.#nodes.get(element);
      if (right === undefined) result.#nodes.set(element, left);
      else {
        const children = right.children === undefined ? left.children : left.children?.difference(right.children);
        result.#put(element, { member: left.member && !right.member, children });
      }
    }
    return result;
  }

  /** Without the paths of `other` and all that lies below them. */
  recursiveDifference(other: FieldSet): FieldSet {
    if (other.isEmpty || this.isEmpty) return this;
    const result = new FieldSet();
    for (const [element, left] of this.#nodes) {
      const right = other.#nodes.get(element);
      if (right === undefined) result.#nodes.set(element, left);
      else if (!right.member) {
        const children =
          right.children === undefined ? left.children : left.children?.recursiveDifference(right.children);
        result.#put(element, { member: left.member, children });
      }
    }
    return result;
  }

  /** Paths that no longer path begins with. */
  leaves(): FieldSet {
    const result = new FieldSet();
    for (const [element, { member, children }] of this.#nodes) {
      result.#put(element, { member: member && children === undefined, children: children?.leaves() });
    }
    return result;
  }

  /** Steps to fields that the type names become members where longer paths go through them. */
  withNamedFields(type: MergeType | undefined): FieldSet {
    // Most sets have no such steps: the result is then this set itself.
    let nodes: Map<PathElement, FieldNode> | undefined;
    for (const [element, node] of this.#nodes) {
      const name = fieldNameOf(element);
      const field = name === undefined ? undefined : type?.map?.fieldOf(name);
      const below = name === undefined ? itemType(element, type) : (field?.type ?? type?.map?.element);
      const member = node.member || field !== undefined;
      const children = node.children?.withNamedFields(below);
      if (member === node.member && children === node.children) continue;
      (nodes ??= new Map(this.#nodes)).set(element, { member, children });
    }
    return nodes === undefined ? this : new FieldSet(nodes);
  }

  /** What `pattern` lets through. */
  matching(pattern: SetPattern): FieldSet {
    if (pattern === 'all') return this;
    const result = new FieldSet();
    for (const [element, { member, children }] of this.#nodes) {
      const match = pattern.find(({ step }) => step === '*' || step === element);
      if (match !== undefined) result.#put(element, { member, children: children?.matching(match.below) });
    }
    return result;
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true;
    if (this.#nodes.size !== other.#nodes.size) return false;
    for (const [element, left] of this.#nodes) {
      const right = other.#nodes.get(element);
      if (right === undefined || left.member !== right.member) return false;
      if ((left.children === undefined) !== (right.children === undefined)) return false;
      if (left.children !== undefined && right.children !== undefined && !left.children.equals(right.children)) {
        return false;
      }
    }
    return true;
  }

  /** The set as fields, made by `write` at the first call and kept. `member`: so is the path that leads here. */
  written(member: boolean, write: (set: FieldSet, member: boolean) => JsonObject): JsonObject {
    if (this.#written?.member !== member) this.#written = { member, fields: write(this, member) };
    return this.#written.fields;
  }

  /** Steps in order, each with what is known of it. */
  entries(): readonly (readonly [PathElement, FieldNode])[] {
    const entries = [...this.#nodes];
    if (entries.length < 2) return entries;
    const compare = entries.length > 50 ? comparisonOfMany() : comparePathElements;
    return entries.sort(([a], [b]) => compare(a, b));
  }

  /** The same in any order. */
  nodes(): Iterable<readonly [PathElement, FieldNode]> {
    return this.#nodes;
  }

  /** Steps in order, with pauses. */
  *sortedSteps(): Work<readonly PathElement[]> {
    return yield* sortedInTurns([...this.#nodes.keys()], comparisonOfMany());
  }

  /** Too large to be worked on at a stretch. */
  get isLarge(): boolean {
    return this.#countUpTo(largeSize) >= largeSize;
  }

  #countUpTo(limit: number): number {
    let count = this.#nodes.size;
    if (count >= limit) return count;
    for (const { children } of this.#nodes.values()) {
      if (children !== undefined) count += children.#countUpTo(limit - count);
      if (count >= limit) break;
    }
    return count;
  }

  /** All paths in order: those of one step first, then longer ones by their first step. */
  *paths(prefix: FieldPath = []): Iterable<FieldPath> {
    const entries = this.entries();
    for (const [element, { member }] of entries) if (member) yield [...prefix, element];
    for (const [element, { children }] of entries)
      if (children !== undefined) yield* children.paths([...prefix, element]);
  }
}

/** Sets do not change once they are told. */
export const emptySet = new FieldSet();

function unionOf(left: FieldNode, right: FieldNode): FieldNode {
  if (left === right) return left;
  const member = left.member || right.member;
  const children =
    left.children === undefined || right.children === undefined
      ? (left.children ?? right.children)
      : left.children.union(right.children);
  return member === left.member && children === left.children ? left : { member, children };
}

function itemType(element: PathElement, type: MergeType | undefined): MergeType | undefined {
  return element.startsWith('k:') ? type?.list?.element : undefined;
}

/** Which paths a filter lets through: all, or those that go along one of these steps (`*`: any). The first that fits counts. */
export type SetPattern = 'all' | readonly { readonly step: PathElement; readonly below: SetPattern }[];

/** Keeps a part of a set: what a strategy resets is owned by nobody. */
export type FieldFilter = (set: FieldSet) => FieldSet;

/** Lets through all but `excluded` and what lies below it. */
export function excluding(excluded: FieldSet): FieldFilter {
  return (set) => set.recursiveDifference(excluded);
}
