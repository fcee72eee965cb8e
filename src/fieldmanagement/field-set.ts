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

/** A node of the tree, under one path element. */
interface FieldNode {
  /** Whether the path that ends here is in the set. */
  readonly member: boolean;
  /** Longer paths; never an empty set. */
  readonly children: FieldSet | undefined;
}

/** Number of nodes. */
const largeSize = 2_000;

/** Shared: most nodes look like this. */
const leaf: FieldNode = { member: true, children: undefined };

/**
 * A set of field paths, as a tree. A path and longer paths below it can both be members:
 *
 *   f:metadata                member: no
 *     f:labels                member: yes   (written as "." in managedFields)
 *       f:app                 member: yes
 *
 * Sets are immutable once built (`insert` is for builders), and share subtrees.
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

  /** Only for sets not shared yet. The empty path is never a member. */
  insert(path: FieldPath): void {
    const last = path.at(-1);
    if (last === undefined) return;
    path
      .slice(0, -1)
      .reduce<FieldSet>((set, element) => set.#descend(element), this)
      .insertMember(last);
  }

  /** `insert` for a path of one element. */
  insertMember(element: PathElement): void {
    const node = this.#nodes.get(element);
    if (node === undefined) this.#nodes.set(element, leaf);
    else if (!node.member) this.#nodes.set(element, { member: true, children: node.children });
  }

  /** Puts a finished set below a path element. */
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

  /** The set below a path element; undefined if empty. */
  childrenOf(element: PathElement): FieldSet | undefined {
    return this.#nodes.get(element)?.children;
  }

  union(other: FieldSet): FieldSet {
    if (this.isEmpty || this === other) return other;
    if (other.isEmpty) return this;
    // Usually `other` adds nothing, and this set itself is returned.
    let nodes: Map<PathElement, FieldNode> | undefined;
    for (const [element, right] of other.#nodes) {
      const left = this.#nodes.get(element);
      const joined = left === undefined ? right : unionOf(left, right);
      if (joined !== left) (nodes ??= new Map(this.#nodes)).set(element, joined);
    }
    return nodes === undefined ? this : new FieldSet(nodes);
  }

  /** Merged pairwise: the cost depends on the size of the sets, not on their number. */
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

  /** Removes the paths of `other`, but not longer paths below them. */
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

  /** Removes the paths of `other` and everything below them. */
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

  /** The paths that are not a prefix of a longer one. */
  leaves(): FieldSet {
    const result = new FieldSet();
    for (const [element, { member, children }] of this.#nodes) {
      result.#put(element, { member: member && children === undefined, children: children?.leaves() });
    }
    return result;
  }

  /** Makes members of the fields named by the type that longer paths go through. */
  withNamedFields(type: MergeType | undefined): FieldSet {
    // Most sets have none, and this set itself is returned.
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

  /** The paths that `pattern` matches. */
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

  /**
   * The set as JSON, written once by `write` and cached. `member`: whether the path that leads here is a member too.
   */
  written(member: boolean, write: (set: FieldSet, member: boolean) => JsonObject): JsonObject {
    if (this.#written?.member !== member) this.#written = { member, fields: write(this, member) };
    return this.#written.fields;
  }

  /** Path elements and their nodes, in order. */
  entries(): readonly (readonly [PathElement, FieldNode])[] {
    const entries = [...this.#nodes];
    if (entries.length < 2) return entries;
    const compare = entries.length > 50 ? comparisonOfMany() : comparePathElements;
    return entries.sort(([a], [b]) => compare(a, b));
  }

  /** Path elements and their nodes, unordered. */
  nodes(): Iterable<readonly [PathElement, FieldNode]> {
    return this.#nodes;
  }

  /** Path elements in order, with pauses. */
  *sortedSteps(): Work<readonly PathElement[]> {
    return yield* sortedInTurns([...this.#nodes.keys()], comparisonOfMany());
  }

  /** Too large to process without pauses. */
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

  /** All paths in order: single elements first, then longer paths by their first element. */
  *paths(prefix: FieldPath = []): Iterable<FieldPath> {
    const entries = this.entries();
    for (const [element, { member }] of entries) if (member) yield [...prefix, element];
    for (const [element, { children }] of entries)
      if (children !== undefined) yield* children.paths([...prefix, element]);
  }
}

/** Shared: sets are immutable. */
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

/** The paths that a filter keeps: all, or those along one of these steps (`*`: any). The first match decides. */
export type SetPattern = 'all' | readonly { readonly step: PathElement; readonly below: SetPattern }[];

/** Keeps part of a set: nobody owns the fields that a strategy resets. */
export type FieldFilter = (set: FieldSet) => FieldSet;

/** Keeps everything except `excluded` and what is below it. */
export function excluding(excluded: FieldSet): FieldFilter {
  return (set) => set.recursiveDifference(excluded);
}
