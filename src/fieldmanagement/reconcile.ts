import { FieldSet } from './field-set.ts';
import { type MapType, type MergeType, typeAt } from './merge-type.ts';
import { fieldNameOf, type PathElement } from './path-element.ts';

/**
 * What a manager owns after its schema has changed: owners of parts of what has become atomic own all of it. Undefined
 * when nothing changes. The other direction loses what was below: nobody knows who set it.
 */
export function reconcileOwned(type: MergeType, owned: FieldSet): FieldSet | undefined {
  if (fitting.get(owned) === type) return undefined;
  const changed = new FieldSet();
  collect(type, { set: owned, isAtomic: false }, { path: [], changed });
  if (!changed.isEmpty) return owned.recursiveDifference(changed).union(changed);
  fitting.set(owned, type);
  return undefined;
}

/** Types to which sets are known to fit: objects share their sets. */
const fitting = new WeakMap<FieldSet, MergeType>();

interface Owned {
  /** What is owned below; undefined: nothing. */
  readonly set: FieldSet | undefined;
  /** It is owned, and nothing below it. */
  readonly isAtomic: boolean;
}

interface Found {
  /** Where the walk is. */
  readonly path: PathElement[];
  /** Places that are owned in parts and have become atomic. */
  readonly changed: FieldSet;
}

function collect(type: MergeType, owned: Owned, found: Found): void {
  const { set, isAtomic } = owned;
  if (type.map !== undefined) {
    if (type.map.deduced) return;
    if (!isAtomic && type.map.atomic) {
      if (set !== undefined && !set.isEmpty) found.changed.insert(found.path);
      return;
    }
    if (set !== undefined) collectFields(type.map, set, found);
  } else if (type.scalar === undefined && type.list !== undefined) {
    if (!isAtomic && !type.list.associative) {
      found.changed.insert(found.path);
      return;
    }
    if (set !== undefined) for (const [element, node] of set.nodes()) descend(type.list.element, element, node, found);
  }
}

function collectFields(map: MapType, set: FieldSet, found: Found): void {
  for (const [element, node] of set.nodes()) {
    const name = fieldNameOf(element);
    const type = name === undefined ? map.element : typeAt(map, name);
    if (type !== undefined) descend(type, element, node, found);
  }
}

function descend(
  type: MergeType,
  element: PathElement,
  { member, children }: { readonly member: boolean; readonly children: FieldSet | undefined },
  found: Found,
): void {
  found.path.push(element);
  collect(type, { set: children, isAtomic: member && children === undefined }, found);
  found.path.pop();
}
