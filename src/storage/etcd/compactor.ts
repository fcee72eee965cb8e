import { systemClock } from '../../api/clock.ts';
import { StorageError } from '../contract.ts';
import type { CompactorOptions } from '../compactor.ts';
import { type Cluster, methods } from './cluster.ts';
import { compactionRequest, versionedPutTransaction } from './requests.ts';
import { readTransactionResponse } from './responses.ts';

/** kube-apiserver's key, under no prefix: all API servers of one etcd take turns by it. */
const turnKey = 'compact_rev_key';
const callTimeoutMs = 30_000;

/** What one server knows of the turns. */
export interface Turn {
  /** How often the key has been written: the number of the last turn. */
  readonly version: number;
  /** The store's revision at our last try: what older history can go at our next turn. */
  readonly revision: number;
}

/**
 * Many API servers on one etcd, one compaction an interval. Each tries once an interval to write the key at the version that it knows; who succeeds
 * compacts up to the revision of its own try before, so one to two intervals of history stay. Who fails learns the version and waits:
 *
 * | time | server A knows | server B knows | key's version | what happens |
 * |---|---|---|---|---|
 * | 0 | 0 | 0 | 0 | A writes version 1, remembers revision 100 |
 * | 1 | 1 | 0 | 1 | B finds 1 instead of 0, remembers it and revision 110 |
 * | 5 | 1 | 1 | 1 | A writes version 2 and compacts at 100 |
 * | 6 | 2 | 1 | 2 | B finds 2 instead of 1 |
 * | 10 | gone | 2 | 2 | nobody |
 * | 11 | | 2 | 2 | B writes version 3 and compacts at its revision of time 6 |
 */
export async function takeTurn(cluster: Cluster, known: Turn): Promise<Turn> {
  const transaction = versionedPutTransaction(turnKey, String(known.revision), known.version);
  const answer = await cluster.write(methods.transaction, transaction, systemClock.now() + callTimeoutMs);
  const { succeeded, revision, found } = readTransactionResponse(answer);
  if (!succeeded) return { version: found?.version ?? 0, revision };
  if (known.revision > 0) await compact(cluster, known.revision);
  return { version: known.version + 1, revision };
}

async function compact(cluster: Cluster, revision: number): Promise<void> {
  try {
    await cluster.write(methods.compact, compactionRequest(revision), systemClock.now() + callTimeoutMs);
  } catch (error) {
    // Somebody who does not know of turns was quicker.
    if (!(error instanceof StorageError && error.code === 'compacted')) throw error;
  }
}

/** Takes a turn every interval, the first after one interval. */
export function startEtcdCompactor(cluster: Cluster, { intervalMs, onError }: CompactorOptions): Disposable {
  let known: Turn = { version: 0, revision: 0 };
  const turn = async (): Promise<void> => {
    known = await takeTurn(cluster, known);
  };
  const timer = setInterval(() => void turn().catch(onError), intervalMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
