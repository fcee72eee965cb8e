import { Turns } from './turns.ts';

/** Work in pieces, which makes a value. Between two pieces others may have their turn. */
export type Pieces<T> = Generator<undefined, T, undefined>;

/** Does the work with a pause for others wherever it has taken long. */
export async function inTurns<T>(pieces: Pieces<T>): Promise<T> {
  const turns = new Turns();
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
    if (turns.isOver) await turns.next();
  }
}

/** Does the work at a stretch. */
export function atOnce<T>(pieces: Pieces<T>): T {
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}
