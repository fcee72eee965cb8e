import type { PathElement } from './path-element.ts';

/** One item of a merged list. */
export interface MergedItem {
  readonly element: PathElement;
  /** Place in the left list of an item that is in the left list alone. */
  readonly leftIndex: number | undefined;
}

/**
 * The order of the items of two lists in one: the right list keeps its order, items of the left list alone stay before
 * the shared item that they stood before.
 *
 *   left   a b c d      right  d x b      merged  a  c  d  x  b
 *
 * Each item of the right list comes once; one that the left list repeats comes where it is met first.
 */
export function mergeOrder(left: readonly PathElement[], right: readonly PathElement[]): readonly MergedItem[] {
  const inLeft = new Set(left);
  const inRight = new Set(right);
  const shared = right.filter((element) => inLeft.has(element));
  const taken = new Set<PathElement>();
  const merged: MergedItem[] = [];
  let sharedAt = 0;
  let nextShared = shared[sharedAt];
  const take = (element: PathElement): void => {
    taken.add(element);
    merged.push({ element, leftIndex: undefined });
  };
  for (let l = 0, r = 0; l < left.length || r < right.length;) {
    const fromLeft = left[l];
    const fromRight = right[r];
    if (fromLeft !== undefined && fromRight !== undefined) {
      if (fromLeft === fromRight) {
        take(fromLeft);
        l++;
        r++;
        nextShared = shared[(sharedAt += 1)];
        continue;
      }
      if (inRight.has(fromLeft) && nextShared !== undefined && nextShared !== fromLeft) {
        // It comes later, where the right list has it.
        l++;
        continue;
      }
    }
    if (fromLeft !== undefined) {
      if (!inRight.has(fromLeft)) {
        merged.push({ element: fromLeft, leftIndex: l });
        l++;
        continue;
      }
      if (taken.has(fromLeft)) l++;
    }
    if (fromRight !== undefined) {
      take(fromRight);
      r++;
      if (nextShared === fromRight) nextShared = shared[(sharedAt += 1)];
    }
  }
  return merged;
}
