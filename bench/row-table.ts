import { measureAdmission } from './admission.ts';
import { measureCel } from './cel/measure.ts';
import { measureCodecs } from './codecs/measure.ts';
import { measureOperations } from './operations.ts';
import { measureOutgoing } from './outgoing.ts';
import { measurePermission } from './permission.ts';
import { measureQuota } from './quota.ts';
import { clusterRow } from './rows/cluster.ts';
import { collectionRow, namespaceDeletionRow } from './rows/collection.ts';
import { definitionsRow } from './rows/definitions.ts';
import { measureEtcd, measureSettled } from './rows/in-turns.ts';
import { listRows } from './rows/lists.ts';
import { manyObjectsRow } from './rows/many-objects.ts';
import { manyWatchersRow, namespacesRow } from './rows/many-watchers.ts';
import { fullMemoryRow, idleMemoryRow, managedFieldsRow } from './rows/memory.ts';
import { protobufRows } from './rows/protobuf.ts';
import { createRow, deleteRow, requestRows } from './rows/requests.ts';
import type { Row } from './rows/row.ts';
import { startRow } from './rows/start.ts';
import { steadyRow } from './rows/steady.ts';
import { watchRow } from './rows/watch.ts';
import { writersRow } from './rows/writers.ts';
import { measureThreads } from './threads.ts';

/** In the order in which they are measured. */
export const rows: readonly Row[] = [
  startRow,
  idleMemoryRow,
  fullMemoryRow,
  managedFieldsRow,
  ...requestRows,
  ...listRows,
  deleteRow,
  // Against another checkout it adds pods, which lists would have more of; here, the first row with pods creates them.
  createRow,
  watchRow,
  ...protobufRows,
  namespacesRow,
  manyWatchersRow,
  writersRow,
  collectionRow,
  namespaceDeletionRow,
  steadyRow,
  clusterRow,
  manyObjectsRow,
  definitionsRow,
  { name: 'codecs', apart: async ({ withReference }) => measureCodecs({ withReference }) },
  { name: 'cel', apart: ({ withReference }) => measureCel({ withReference }) },
  { name: 'permission', apart: async ({ nodeArguments }) => [await measurePermission(nodeArguments)] },
  { name: 'quota', apart: async ({ nodeArguments }) => [await measureQuota(nodeArguments)] },
  { name: 'admission', apart: async ({ nodeArguments }) => [await measureAdmission(nodeArguments)] },
  { name: 'operations', apart: async ({ nodeArguments }) => [await measureOperations(nodeArguments)] },
  { name: 'threads', apart: ({ nodeArguments }) => measureThreads(nodeArguments) },
  { name: 'settled', apart: measureSettled },
  { name: 'etcd', apart: measureEtcd },
  { name: 'outgoing', apart: async ({ nodeArguments }) => [await measureOutgoing(nodeArguments)] },
];
