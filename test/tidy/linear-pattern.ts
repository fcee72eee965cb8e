import { type Position, positionsOf } from './pattern-automaton.ts';

/**
 * Why a pattern can take more than linear time; undefined if it cannot.
 *
 * Without a match, a backtracking engine tries every way to read a string. There are few unless two loops can read the
 * same string: `(a+)+`, `a*a*`, or `a+$`, which can start anywhere. So a pattern is super-linear if it has places p and
 * q and there is a string that leads from p to p, from p to q, and from q to q, or if one step of a loop can be taken
 * in two ways.
 */
export function superLinear(source: string, flags: string): string | undefined {
  let positions: readonly Position[];
  try {
    positions = positionsOf(source, flags);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const below = new Map(positions.map((position) => [position, reachable(position)]));
  const loops = positions.filter((position) => below.get(position)?.has(position));
  const sameLoop = (a: Position, b: Position): boolean =>
    below.get(a)?.has(b) === true && below.get(b)?.has(a) === true;
  for (const position of loops) {
    for (const [next, ways] of position.next) {
      if (ways > 1 && sameLoop(position, next)) return `${next.raw} is repeated in two ways`;
    }
  }
  for (const p of loops) {
    for (const q of loops) {
      if (p === q || below.get(p)?.has(q) !== true) continue;
      if (readSameText(p, q, sameLoop)) return `${p.raw} and ${q.raw} can read the same text`;
    }
  }
  return undefined;
}

function reachable(from: Position): ReadonlySet<Position> {
  const seen = new Set<Position>();
  const open = [...from.next.keys()];
  for (let position = open.pop(); position !== undefined; position = open.pop()) {
    if (seen.has(position)) continue;
    seen.add(position);
    open.push(...position.next.keys());
  }
  return seen;
}

type Triple = readonly [first: Position, middle: Position, last: Position];

/** Whether some string leads from p to p, from p to q and from q to q. */
function readSameText(p: Position, q: Position, sameLoop: (a: Position, b: Position) => boolean): boolean {
  const ids = new Map<Position, number>();
  const id = (position: Position): number => {
    if (!ids.has(position)) ids.set(position, ids.size);
    return ids.get(position) ?? 0;
  };
  const seen = new Set<string>();
  const open: Triple[] = [[p, p, q]];
  for (let triple = open.pop(); triple !== undefined; triple = open.pop()) {
    const [a, b, c] = triple;
    if (!shareChar(a, b, c)) continue;
    for (const first of a.next.keys()) {
      if (!sameLoop(first, p)) continue;
      for (const last of c.next.keys()) {
        if (!sameLoop(last, q)) continue;
        for (const middle of b.next.keys()) {
          if (first === p && middle === q && last === q) return true;
          const key = `${id(first)} ${id(middle)} ${id(last)}`;
          if (seen.has(key)) continue;
          seen.add(key);
          open.push([first, middle, last]);
        }
      }
    }
  }
  return false;
}

function shareChar(a: Position, b: Position, c: Position): boolean {
  for (const char of a.chars) if (b.chars.has(char) && c.chars.has(char)) return true;
  return false;
}
