import { msUntil } from '../../api/deadline.ts';
import { StorageError } from '../contract.ts';

/** Rejects with the `timeout` error if `pending` has not settled by `deadlineMs`. */
export async function withDeadline<T>(pending: Promise<T>, deadlineMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = new StorageError('timeout', 'etcd did not respond in time');
  const timer = setTimeout(() => reject(late), Math.max(0, msUntil(deadlineMs)));
  try {
    return await Promise.race([pending, promise]);
  } finally {
    clearTimeout(timer);
  }
}
