import { bottomUp } from '../api/collections/bottom-up.ts';
import { FieldSet } from './field-set.ts';
import { type MapType, type MergeType, typeAt } from './merge-type.ts';
import { fieldNameOf, type PathElement } from './path-element.ts';

/**
 * Adapts a set to a changed schema: owners of parts of a field that became atomic own all of it. Undefined when nothing
 * changes. A field that became granular keeps only itself: who set its parts is not known.
 */
export function reconcileOwned(type: MergeType, owned: FieldSet): FieldSet | undefined {
  if (fitting.get(owned) === type) return undefined;
  const changed = changedIn(type, owned, false);
  if (changed instanceof FieldSet) return owned.recursiveDifference(changed).union(changed);
  fitting.set(owned, type);
  return undefined;
}

/** Sets already known to fit a type: objects share sets. */
const fitting = new WeakMap<FieldSet, MergeType>();

/**
 * The paths that are partly owned and became atomic: those below, the path itself, or none. `isAtomic`: owned, with
 * nothing owned below.
 */
const changedIn = bottomUp(
  (type: MergeType, owned: FieldSet | undefined, isAtomic: boolean): FieldSet | 'itself' | undefined => {
    const { map, list, scalar } = type;
    if (map !== undefined) {
      if (map.deduced) return undefined;
      if (!isAtomic && map.atomic) return owned === undefined || owned.isEmpty ? undefined : 'itself';
      return owned && changedBelow(owned, (element) => typeBelow(map, element));
    }
    if (list === undefined || scalar !== undefined) return undefined;
    if (!isAtomic && !list.associative) return 'itself';
    return owned && changedBelow(owned, () => list.element);
  },
  undefined,
);

function typeBelow(map: MapType, element: PathElement): MergeType | undefined {
  const name = fieldNameOf(element);
  return name === undefined ? map.element : typeAt(map, name);
}

function changedBelow(owned: FieldSet, typeOf: (element: PathElement) => MergeType | undefined): FieldSet | undefined {
  let changed: FieldSet | undefined;
  for (const [element, { member, children }] of owned.nodes()) {
    const type = typeOf(element);
    const below = type && changedIn(type, children, member && children === undefined);
    if (below === undefined) continue;
    const isItself = below === 'itself';
    (changed ??= new FieldSet()).put(element, isItself, isItself ? undefined : below);
  }
  return changed;
}
