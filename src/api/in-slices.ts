import { Turns } from './turns.ts';

/** The results of `work` for each item, one after the other; other work runs in between if they take long. */
export async function inSlices<T, Result>(items: Iterable<T>, work: (item: T) => Result): Promise<Result[]> {
  const turns = new Turns();
  const results: Result[] = [];
  for (const item of items) {
    // oxlint-disable-next-line no-await-in-loop -- others run meanwhile
    if (turns.isOver) await turns.next();
    results.push(work(item));
  }
  return results;
}
