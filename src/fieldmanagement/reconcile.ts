import { FieldSet } from './field-set.ts';
import { type MapType, type MergeType, typeAt } from './merge-type.ts';
import { fieldNameOf, type PathElement } from './path-element.ts';

/**
 * Adapts a set to a changed schema: owners of parts of a field that became atomic own all of it. Undefined when nothing
 * changes. A field that became granular keeps only itself: who set its parts is not known.
 */
export function reconcileOwned(type: MergeType, owned: FieldSet): FieldSet | undefined {
  if (fitting.get(owned) === type) return undefined;
  const changed = new FieldSet();
  collect(type, { set: owned, isAtomic: false }, { path: [], changed });
  if (!changed.isEmpty) return owned.recursiveDifference(changed).union(changed);
  fitting.set(owned, type);
  return undefined;
}

/** Sets already known to fit a type: objects share sets. */
const fitting = new WeakMap<FieldSet, MergeType>();

interface Owned {
  /** The owned set below; undefined: none. */
  readonly set: FieldSet | undefined;
  /** Owned, with nothing owned below. */
  readonly isAtomic: boolean;
}

interface Found {
  /** The current path of the walk. */
  readonly path: PathElement[];
  /** Paths that are partly owned and became atomic. */
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
