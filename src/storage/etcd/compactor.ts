import { deadlineIn } from '../../api/time/deadline.ts';
import { StorageError } from '../contract.ts';
import type { CompactorOptions } from '../compactor.ts';
import { type Cluster, methods } from './cluster.ts';
import { compactionRequest, versionedPutTransaction } from './requests.ts';
import { readTransactionResponse } from './responses.ts';

/** kube-apiserver's key, without a prefix: all API servers of an etcd coordinate through it. */
const turnKey = 'compact_rev_key';
const callTimeoutMs = 30_000;

/** One server's knowledge of the turns. */
export interface Turn {
  /** The key's version, that is, the number of the last turn. */
  readonly version: number;
  /** The store's revision at our last attempt: the compaction target of our next turn. */
  readonly revision: number;
}

/**
 * Coordinates API servers that share an etcd: one compaction per interval. Each tries once per interval to write the
 * key at the version it knows; the winner compacts at the revision of its own previous attempt, so one to two intervals
 * of history are kept. The others learn the version and wait:
 *
 * | time | server A knows | server B knows | key's version | what happens |
 * |---|---|---|---|---|
 * | 0 | 0 | 0 | 0 | A writes version 1, notes revision 100 |
 * | 1 | 1 | 0 | 1 | B finds 1 instead of 0, notes it and revision 110 |
 * | 5 | 1 | 1 | 1 | A writes version 2 and compacts at 100 |
 * | 6 | 2 | 1 | 2 | B finds 2 instead of 1 |
 * | 10 | gone | 2 | 2 | nothing |
 * | 11 | | 2 | 2 | B writes version 3 and compacts at its revision of time 6 |
 */
export async function takeTurn(cluster: Cluster, known: Turn): Promise<Turn> {
  const transaction = versionedPutTransaction(turnKey, String(known.revision), known.version);
  const response = await cluster.write(methods.transaction, transaction, deadlineIn(callTimeoutMs));
  const { succeeded, revision, found } = readTransactionResponse(response);
  if (!succeeded) {
    // The winner compacts at the revision that it writes.
    cluster.compactedAt(found === undefined ? 0 : Number(Buffer.from(found.value).toString()));
    return { version: found?.version ?? 0, revision };
  }
  if (known.revision > 0) await compact(cluster, known.revision);
  return { version: known.version + 1, revision };
}

/** Tells the other API servers of a compaction outside of the turns, which are put off by one interval. */
export async function announceCompaction(cluster: Cluster, revision: number): Promise<void> {
  cluster.compactedAt(revision);
  for (let version = 0; ;) {
    const transaction = versionedPutTransaction(turnKey, String(revision), version);
    const response = await cluster.write(methods.transaction, transaction, deadlineIn(callTimeoutMs));
    const { succeeded, found } = readTransactionResponse(response);
    if (succeeded || found === undefined || Number(Buffer.from(found.value).toString()) >= revision) return;
    ({ version } = found);
  }
}

async function compact(cluster: Cluster, revision: number): Promise<void> {
  try {
    await cluster.write(methods.compact, compactionRequest(revision), deadlineIn(callTimeoutMs));
  } catch (error) {
    // Already compacted by someone outside of this protocol.
    if (!(error instanceof StorageError && error.code === 'compacted')) throw error;
  }
  cluster.compactedAt(revision);
}

/** Takes a turn every interval, first after one interval. */
export function startEtcdCompactor(cluster: Cluster, { intervalMs, onError }: CompactorOptions): Disposable {
  let known: Turn = { version: 0, revision: 0 };
  const turn = async (): Promise<void> => {
    known = await takeTurn(cluster, known);
  };
  const timer = setInterval(() => void turn().catch(onError), intervalMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
