import { LogDatabase } from '../log-database.ts';
import type { LogRow } from '../protocol.ts';

/** The storage thread with failpoints, triggered by keys in a group. */
const failpoints: Readonly<Record<string, (append: () => void) => void>> = {
  '/fail/before': () => {
    throw sqliteError(10, 'disk I/O error');
  },
  '/fail/after': (append) => {
    append();
    throw sqliteError(10, 'disk I/O error');
  },
  '/fail/full': () => {
    throw sqliteError(13, 'database or disk is full');
  },
  '/fail/exit': () => process.exit(),
};

function sqliteError(errcode: number, message: string): Error {
  return Object.assign(new Error(message), { errcode });
}

const write = LogDatabase.prototype.append;
LogDatabase.prototype.append = function (this: LogDatabase, rows: Iterable<LogRow>): void {
  const all = [...rows];
  const append = (): void => write.call(this, all);
  const failing = all.find((row) => Object.hasOwn(failpoints, row.key));
  if (failing === undefined) append();
  else failpoints[failing.key]?.(append);
};
await import('../worker.ts');
