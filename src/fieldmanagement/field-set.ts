import { bottomUp } from '../api/collections/bottom-up.ts';
import type { JsonObject } from '../api/json/json.ts';
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

/** Shared: most nodes look like this. */
const leaf: FieldNode = { member: true, children: undefined };

function nodeOf(member: boolean, children: FieldSet | undefined): FieldNode {
  return member && children === undefined ? leaf : { member, children };
}

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
  #json: { readonly member: boolean; readonly fields: JsonObject } | undefined;

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
    this.#nodes.set(element, nodeOf(true, this.#nodes.get(element)?.children));
  }

  #descend(element: PathElement): FieldSet {
    const node = this.#nodes.get(element);
    if (node?.children !== undefined) return node.children;
    const children = new FieldSet();
    this.#nodes.set(element, { member: node?.member === true, children });
    return children;
  }

  /** Puts an element, and a finished set below it, into a set that is not shared yet. */
  put(element: PathElement, member: boolean, children: FieldSet | undefined): void {
    const kept = children?.isEmpty === false ? children : undefined;
    if (member || kept !== undefined) this.#nodes.set(element, nodeOf(member, kept));
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
    return FieldSet.#union(this, other);
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
    return FieldSet.#intersection(this, other);
  }

  /** Removes the paths of `other`, but not longer paths below them. */
  difference(other: FieldSet): FieldSet {
    return FieldSet.#difference(this, other);
  }

  /** Removes the paths of `other` and everything below them. */
  recursiveDifference(other: FieldSet): FieldSet {
    return FieldSet.#recursiveDifference(this, other);
  }

  /** The paths that are not a prefix of a longer one. */
  leaves(): FieldSet {
    return FieldSet.#leaves(this);
  }

  /** Makes members of the fields named by the type that longer paths go through. */
  withNamedFields(type: MergeType | undefined): FieldSet {
    return FieldSet.#withNamedFields(this, type);
  }

  /** The paths that `pattern` matches. */
  matching(pattern: SetPattern): FieldSet {
    return FieldSet.#matching(this, pattern);
  }

  equals(other: FieldSet): boolean {
    return FieldSet.#equals(this, other);
  }

  static readonly #union = bottomUp((set: FieldSet, other: FieldSet): FieldSet => {
    if (set.isEmpty || set === other) return other;
    if (other.isEmpty) return set;
    // Usually `other` adds nothing, and the set itself is returned.
    let nodes: Map<PathElement, FieldNode> | undefined;
    for (const [element, right] of other.#nodes) {
      const left = set.#nodes.get(element);
      const joined = left === undefined ? right : FieldSet.#unionOfNodes(left, right);
      if (joined !== left) (nodes ??= new Map(set.#nodes)).set(element, joined);
    }
    return nodes === undefined ? set : new FieldSet(nodes);
  }, new FieldSet());

  static #unionOfNodes(left: FieldNode, right: FieldNode): FieldNode {
    if (left === right) return left;
    const member = left.member || right.member;
    const children =
      left.children === undefined || right.children === undefined
        ? (left.children ?? right.children)
        : FieldSet.#union(left.children, right.children);
    return member === left.member && children === left.children ? left : { member, children };
  }

  static readonly #intersection = bottomUp((set: FieldSet, other: FieldSet): FieldSet => {
    const result = new FieldSet();
    const [few, many] = other.#nodes.size < set.#nodes.size ? [other, set] : [set, other];
    for (const [element, left] of few.#nodes) {
      const right = many.#nodes.get(element);
      if (right === undefined) continue;
      const children =
        left.children !== undefined && right.children !== undefined
          ? FieldSet.#intersection(left.children, right.children)
          : undefined;
      result.put(element, left.member && right.member, children);
    }
    return result;
  }, new FieldSet());

  static readonly #difference = bottomUp((set: FieldSet, other: FieldSet): FieldSet => {
    if (other.isEmpty || set.isEmpty) return set;
    const result = new FieldSet();
    for (const [element, left] of set.#nodes) {
      const right = other.#nodes.get(element);
      if (right === undefined) result.#nodes.set(element, left);
      else {
        const children = left.children && right.children && FieldSet.#difference(left.children, right.children);
        result.put(element, left.member && !right.member, children ?? left.children);
      }
    }
    return result;
  }, new FieldSet());

  static readonly #recursiveDifference = bottomUp((set: FieldSet, other: FieldSet): FieldSet => {
    if (other.isEmpty || set.isEmpty) return set;
    const result = new FieldSet();
    for (const [element, left] of set.#nodes) {
      const right = other.#nodes.get(element);
      if (right === undefined) result.#nodes.set(element, left);
      else if (!right.member) {
        const children =
          left.children && right.children && FieldSet.#recursiveDifference(left.children, right.children);
        result.put(element, left.member, children ?? left.children);
      }
    }
    return result;
  }, new FieldSet());

  static readonly #leaves = bottomUp((set: FieldSet): FieldSet => {
    const result = new FieldSet();
    for (const [element, { member, children }] of set.#nodes) {
      const below = children && FieldSet.#leaves(children);
      result.put(element, member && children === undefined, below);
    }
    return result;
  }, new FieldSet());

  static readonly #withNamedFields = bottomUp((set: FieldSet, type: MergeType | undefined): FieldSet => {
    // Most sets have none, and the set itself is returned.
    let nodes: Map<PathElement, FieldNode> | undefined;
    for (const [element, node] of set.#nodes) {
      const name = fieldNameOf(element);
      const field = name === undefined ? undefined : type?.map?.fieldOf(name);
      const below = name === undefined ? itemType(element, type) : (field?.type ?? type?.map?.element);
      const member = node.member || field !== undefined;
      const children = node.children && FieldSet.#withNamedFields(node.children, below);
      if (member === node.member && children === node.children) continue;
      (nodes ??= new Map(set.#nodes)).set(element, { member, children });
    }
    return nodes === undefined ? set : new FieldSet(nodes);
  }, new FieldSet());

  static readonly #matching = bottomUp((set: FieldSet, pattern: SetPattern): FieldSet => {
    if (pattern === 'all') return set;
    const result = new FieldSet();
    for (const [element, { member, children }] of set.#nodes) {
      const match = pattern.find(({ step }) => step === '*' || step === element);
      if (match === undefined) continue;
      result.put(element, member, children && FieldSet.#matching(children, match.below));
    }
    return result;
  }, new FieldSet());

  static readonly #equals = bottomUp((set: FieldSet, other: FieldSet): boolean => {
    if (set === other) return true;
    if (set.#nodes.size !== other.#nodes.size) return false;
    for (const [element, left] of set.#nodes) {
      const right = other.#nodes.get(element);
      if (right === undefined || left.member !== right.member) return false;
      if ((left.children === undefined) !== (right.children === undefined)) return false;
      if (left.children && right.children && !FieldSet.#equals(left.children, right.children)) return false;
    }
    return true;
  }, true);

  /** What has been kept of this set as JSON; `member`: whether the path that leads here is a member too. */
  jsonAs(member: boolean): JsonObject | undefined {
    return this.#json?.member === member ? this.#json.fields : undefined;
  }

  keepJson(member: boolean, fields: JsonObject): void {
    this.#json = { member, fields };
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

  /** All paths in order: single elements first, then longer paths by their first element. */
  *paths(): Iterable<FieldPath> {
    const waiting: { readonly set: FieldSet; readonly prefix: Prefix | undefined }[] = [
      { set: this, prefix: undefined },
    ];
    // No recursion: sets may be deep.
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { set, prefix } = next;
      const entries = set.entries();
      for (const [element, { member }] of entries) if (member) yield pathOf({ prefix, element });
      for (const [element, { children }] of entries.toReversed())
        if (children !== undefined) waiting.push({ set: children, prefix: { prefix, element } });
    }
  }
}

/** The elements of a path, the last one first. */
interface Prefix {
  readonly prefix: Prefix | undefined;
  readonly element: PathElement;
}

function pathOf(last: Prefix): FieldPath {
  const path: PathElement[] = [];
  for (let at: Prefix | undefined = last; at !== undefined; at = at.prefix) path.push(at.element);
  return path.reverse();
}

/** Shared: sets are immutable. */
export const emptySet = new FieldSet();

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
