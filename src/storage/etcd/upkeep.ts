import { deadlineIn } from '../../api/time/deadline.ts';
import { StorageError } from '../contract.ts';
import {
  type Compacted,
  type CompactionTarget,
  type Defragmented,
  type StoreUpkeep,
  type Upkeep,
  UpkeepRefusedError,
} from '../upkeep.ts';
import { type Cluster, methods } from './cluster.ts';
import { announceCompaction } from './compactor.ts';
import type { EtcdStorage } from './engine.ts';
import { compactionRequest } from './requests.ts';
import { readStatusResponse, type StatusResponse } from './responses.ts';

/** A member rewrites its whole database. */
const workTimeoutMs = 30 * 60_000;
const statusTimeoutMs = 5000;

/** Maintenance of the etcd clusters of a store; the first is the one of all resources without their own. */
export class EtcdUpkeep implements StoreUpkeep {
  readonly #clusters: readonly EtcdStorage[];

  constructor(clusters: readonly EtcdStorage[]) {
    this.#clusters = clusters;
  }

  async *compact(target: CompactionTarget): Upkeep<Compacted> {
    const total = this.#clusters.length;
    if ('revision' in target && total > 1)
      throw new UpkeepRefusedError(
        `this server uses ${total} etcd clusters, each with its own revisions: say how many revisions to keep instead`,
      );
    let done = 0;
    for (const storage of this.#clusters) {
      await compactCluster(storage, target);
      done += 1;
      yield { done, total, unit: 'clusters' };
    }
    return { revision: this.#clusters[0]?.compactedRevision ?? 0 };
  }

  /**
   * One member at a time, the leader last: a member that is being defragmented does not answer. None is while another
   * one is out of reach: they could be too few for a majority.
   */
  async *defragment(): Upkeep<Defragmented> {
    const members = (await Promise.all(this.#clusters.map(({ cluster }) => membersOf(cluster)))).flat();
    let done = 0;
    let [beforeBytes, afterBytes] = [0, 0];
    for (const { cluster, name, status } of members) {
      await cluster.defragment(name, deadlineIn(workTimeoutMs));
      beforeBytes += status.databaseBytes;
      afterBytes += (await statusOf(cluster, name)).databaseBytes;
      done += 1;
      yield { done, total: members.length, unit: 'members' };
    }
    return { beforeBytes, afterBytes };
  }
}

/** Waits until etcd has deleted what is no longer readable. */
async function compactCluster(storage: EtcdStorage, target: CompactionTarget): Promise<void> {
  const { cluster } = storage;
  const revision = 'revision' in target ? target.revision : (await storage.currentRevision()) - target.keep;
  if (revision <= 0) return;
  try {
    await cluster.write(methods.compact, compactionRequest(revision, { physical: true }), deadlineIn(workTimeoutMs));
  } catch (error) {
    if ('keep' in target && error instanceof StorageError && error.code === 'compacted') return;
    throw error;
  }
  await announce(cluster, revision);
}

/** An etcd without space takes no note of it: it is compacted to get some. */
async function announce(cluster: Cluster, revision: number): Promise<void> {
  try {
    await announceCompaction(cluster, revision);
  } catch (error) {
    if (!(error instanceof StorageError && error.code === 'refused')) throw error;
  }
}

interface FoundMember {
  readonly cluster: Cluster;
  readonly name: string;
  readonly status: StatusResponse;
}

async function membersOf(cluster: Cluster): Promise<readonly FoundMember[]> {
  const members = await Promise.all(
    cluster.names.map(async (name) => ({ cluster, name, status: await reachedStatus(cluster, name) })),
  );
  return members.toSorted((one, other) => Number(one.status.isLeader) - Number(other.status.isLeader));
}

async function reachedStatus(cluster: Cluster, name: string): Promise<StatusResponse> {
  try {
    return await statusOf(cluster, name);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `${name} cannot be reached, and no member is defragmented meanwhile: ${why}`;
    throw new StorageError('unavailable', message, { cause: error });
  }
}

async function statusOf(cluster: Cluster, name: string): Promise<StatusResponse> {
  return readStatusResponse(await cluster.ask(name, methods.status, deadlineIn(statusTimeoutMs)));
}
