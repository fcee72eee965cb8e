import type { Toleration } from '../../../schema/kubernetes/generated/types/core-v1.ts';

interface Identified {
  readonly toleration: Toleration;
  /** Equal for equal tolerations. */
  readonly identity: string;
}

/**
 * Merges two lists and drops what another toleration covers; of equal ones the first stays, unless a later one covers
 * it.
 */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...second].map((toleration) => ({ toleration, identity: identityOf(toleration) }));
  const later = new Coverage();
  const left = all.toReversed().filter((one) => {
    const isCovered = later.coversFromOutside(one);
    later.add(one);
    return !isCovered;
  });
  const earlier = new Coverage();
  const merged = new Map<string, Toleration>();
  for (const one of left.toReversed()) {
    if (merged.has(one.identity) || earlier.coversFromOutside(one)) continue;
    earlier.add(one);
    merged.set(one.identity, one.toleration);
  }
  return [...merged.values()];
}

function identityOf(toleration: Toleration): string {
  return JSON.stringify(Object.entries(toleration).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The longest period of the tolerations of one key and effect, and the longest of those not equal to it. */
interface Longest {
  readonly seconds: number;
  readonly identity: string;
  readonly othersSeconds: number;
}

/** An index of what a set of tolerations covers: by key, effect and, where it matters, value. */
class Coverage {
  readonly #longest = new Map<string, Longest>();

  add({ toleration, identity }: Identified): void {
    const { key = '', operator = '', effect = '', value = '', tolerationSeconds } = toleration;
    const isEqual = operator === 'Equal' || operator === '';
    if (!isEqual && operator !== 'Exists') return;
    const place = JSON.stringify(isEqual ? [key, effect, value] : [key, effect]);
    const seconds = effect === 'NoExecute' ? Number(tolerationSeconds ?? Infinity) : Infinity;
    const before = this.#longest.get(place) ?? { seconds: -Infinity, identity, othersSeconds: -Infinity };
    if (before.identity === identity) this.#longest.set(place, { ...before, seconds });
    else if (seconds > before.seconds) {
      this.#longest.set(place, { seconds, identity, othersSeconds: before.seconds });
    } else {
      this.#longest.set(place, { ...before, othersSeconds: Math.max(seconds, before.othersSeconds) });
    }
  }

  /** Whether another toleration, not an equal one, covers this one. */
  coversFromOutside({ toleration, identity }: Identified): boolean {
    const { key = '', operator, effect = '', value = '', tolerationSeconds } = toleration;
    const places = [effect, ''].flatMap((wide) => [
      [key, wide],
      ['', wide],
      ...(operator === 'Equal' ? [[key, wide, value]] : []),
    ]);
    const wanted = Number(tolerationSeconds ?? Infinity);
    return places.some((place) => {
      const longest = this.#longest.get(JSON.stringify(place));
      if (longest === undefined) return false;
      return (longest.identity === identity ? longest.othersSeconds : longest.seconds) >= wanted;
    });
  }
}
