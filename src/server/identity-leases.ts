import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '../api/time/clock.ts';
import { joinHostPort } from '../api/text/host-port.ts';
import { identityLabel, identityOfServers } from '../api/meta/identity-lease.ts';
import type { JsonObject } from '../api/json/json.ts';
import type { PartContext } from '../api/contracts/part.ts';
import { pauseOn } from '../api/scheduling/pause.ts';
import { isReason } from '../api/errors/status.ts';
import { formatMicroTime, timeOf } from '../api/time/time.ts';
import { isExpired, type StoredLease } from '../controllers/stored-lease.ts';
import { deleteNamed } from '../operations/delete.ts';
import { type Operation, storeOfOperation } from '../operations/operation.ts';
import { noOptions } from '../registry/kinds/delete-options.ts';
import type { Lease } from '../schema/kubernetes/generated/types/coordination-v1.ts';
import { prefixEnd } from '../storage/contract.ts';
import { changeObject } from '../system/bootstrap-objects.ts';
import type { ServerConfig } from './config.ts';
import { peersAreOn } from './peers/open-peers.ts';
import { peerAddress } from './peers/peer-endpoint.ts';
import type { Leaving } from './lifecycle.ts';
import type { Store } from './store/store.ts';
import type { ResourceScopes } from '../scopes/resource-scopes.ts';
import { serverId } from './server-id.ts';
import { systemOperation } from '../system/system-operation.ts';
import { keyPrefixOf } from '../registry/stored/store-kind.ts';

// Each server of a store has a Lease in `kube-system` with its name, by which the others know it.

const namespace = 'kube-system';
const addressAnnotation = 'kubernetes.io/peer-advertise-address';
const leaseSeconds = 3600;
/** Servers of a shared store find each other this way. */
const sharedIntervalMs = 10_000;
/** Every renewal is a write, and of a store of its own nobody asks how the server is. */
const soleIntervalMs = 600_000;
const collectionIntervalMs = 3_600_000;

interface LeaseContext extends PartContext {
  readonly scopes: ResourceScopes;
  readonly store: Pick<Store, 'isShared'>;
  readonly config: Pick<ServerConfig, 'peers' | 'serving' | 'api'>;
  /** Where the server listens. */
  readonly port: number;
}

/** Deletes the Lease of an earlier run of this server, then creates and renews its own until the server stops. */
export async function holdIdentityLease(context: LeaseContext & Leaving): Promise<void> {
  const { clock, onError, store, config, port } = context;
  const stop = new AbortController();
  const name = serverId(config.peers.hostName);
  const address = peersAreOn(config) ? joinHostPort(peerAddress(config, port)) : undefined;
  const holder = `${name}_${randomUUID()}`;
  let heldMs = 0;
  const hold = async (): Promise<void> => {
    heldMs = clock.now();
    await changeObject(leases(context), name, (old) => renewed(old, { name, holder, address, clock })).catch(onError);
  };
  const intervalMs = store.isShared ? sharedIntervalMs : soleIntervalMs;
  const first = removeLease(context, name).then(hold);
  const renewing = first.then(async () => {
    while (!stop.signal.aborted) {
      await pauseOn(clock, heldMs + intervalMs - clock.now(), stop.signal);
      if (!stop.signal.aborted) await hold();
    }
  });
  let left: Promise<void> | undefined;
  const leave = async (): Promise<void> => {
    stop.abort();
    await renewing;
    await removeLease(context, name);
  };
  context.onLeave(() => (left ??= leave()));
  context.onStop(() => (left ??= leave()));
  await first;
}

/** Deletes expired Leases of servers. */
export function collectIdentityLeases(context: LeaseContext): void {
  const stop = new AbortController();
  const collecting = (async () => {
    while (!stop.signal.aborted) {
      await collect(context).catch(context.onError);
      await pauseOn(context.clock, collectionIntervalMs, stop.signal);
    }
  })();
  context.onStop(async () => {
    stop.abort();
    await collecting;
  });
}

async function collect(context: LeaseContext): Promise<void> {
  const nowMs = context.clock.now();
  for (const lease of await identityLeases(leases(context))) {
    const { name = '', resourceVersion } = lease.metadata;
    // A Lease renewed since it was read is kept.
    if (isExpired(lease, nowMs)) await removeLease(context, name, resourceVersion);
  }
}

async function identityLeases(operation: Operation): Promise<readonly StoredLease[]> {
  const store = storeOfOperation(operation, 'list');
  const start = keyPrefixOf(store, namespace);
  const { kvs } = await store.storage.range({ start, end: prefixEnd(start) });
  const { conversion } = operation.scope;
  const readable = kvs.filter(({ unreadable }) => unreadable === undefined);
  const found = await conversion.allFromStored(readable.map((kv) => store.codec.decode(kv)));
  // Decoded as leases.
  return (found as StoredLease[]).filter(({ metadata }) => metadata.labels?.[identityLabel] === identityOfServers);
}

interface Identity {
  readonly name: string;
  readonly holder: string;
  /** Where other servers reach this one; undefined: they are not told. */
  readonly address: string | undefined;
  readonly clock: Clock;
}

function renewed(old: JsonObject | undefined, { name, holder, address, clock }: Identity): JsonObject {
  const labels = { [identityLabel]: identityOfServers, 'kubernetes.io/hostname': hostname() };
  const made = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace } };
  const lease = (old ?? made) as JsonObject & Lease; // of its kind
  const renewTime = formatMicroTime(timeOf(clock.now()));
  const spec = { holderIdentity: holder, ...lease.spec, leaseDurationSeconds: leaseSeconds, renewTime };
  return {
    ...lease,
    metadata: {
      ...lease.metadata,
      labels: { ...lease.metadata?.labels, ...labels },
      ...(address === undefined
        ? {}
        : { annotations: { ...lease.metadata?.annotations, [addressAnnotation]: address } }),
    },
    spec,
  } as JsonObject;
}

async function removeLease(context: LeaseContext, name: string, resourceVersion?: string): Promise<void> {
  const preconditions = resourceVersion === undefined ? {} : { resourceVersion };
  try {
    await deleteNamed(leases(context), name, { ...noOptions, preconditions });
  } catch (error) {
    if (!isReason(error, 'NotFound') && !isReason(error, 'Conflict')) context.onError(error);
  }
}

function leases({ scopes, clock }: LeaseContext): Operation {
  const scope = scopes.now.knownScopeOf('coordination.k8s.io', 'v1', 'leases');
  if (scope === undefined) throw new Error('leases are not known');
  return systemOperation(scope, { kinds: scopes.now, clock, namespace });
}
