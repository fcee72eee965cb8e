import type { Soon } from '../api/scheduling/soon.ts';
import { TimeSlice } from '../api/scheduling/time-slice.ts';
import type { KeyValue } from './contract.ts';

/** Values as they are above a store, one after the other, since some are slow to read; others run in between. */
export async function readAll(
  kvs: readonly KeyValue[],
  read: (kv: KeyValue) => Soon<KeyValue>,
): Promise<readonly KeyValue[]> {
  const all: KeyValue[] = [];
  const timeSlice = new TimeSlice();
  for (const kv of kvs) {
    if (timeSlice.isOver) await timeSlice.next();
    const value = read(kv);
    all.push(value instanceof Promise ? await value : value);
  }
  return all;
}
