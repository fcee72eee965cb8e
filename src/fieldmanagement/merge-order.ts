import type { PathElement } from './path-element.ts';

export interface MergedItem {
  readonly element: PathElement;
  /** Index in the left list, for items that only the left list has. */
  readonly leftIndex: number | undefined;
}

/**
 * Merges the order of two lists: the right list keeps its order, and left-only items stay before the shared item they
 * preceded.
 *
 *   left   a b c d      right  d x b      merged  a  c  d  x  b
 *
 * Each item of the right list appears once; one that the left list repeats appears at its first match.
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
        // It comes later, at its place in the right list.
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
