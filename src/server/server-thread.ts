import type { Aggregator } from '../aggregation/aggregator.ts';
import { AdmittedUsages } from '../admission/plugins/resource-quota/admitted-usages.ts';
import { DelayedWrites } from '../api/scheduling/delayed-writes.ts';
import { systemClock } from '../api/time/clock.ts';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { checkUnused, type Listener } from '../http/transport/listener.ts';
import type { Shedding } from '../http/transport/share-of.ts';
import { pluginsByConfig } from './access/built-in-admission.ts';
import type { Access } from './access/access.ts';
import type { ServerConfig } from './config.ts';
import { builtInCatalogue } from './kinds/built-in-catalogue.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Serving } from './listening/serving.ts';
import { serverContext } from './server-context.ts';
import type { SharedRegisters } from './services/service-registers.ts';
import { type Charges, openAccessPhase } from './start/access.ts';
import { type EntryPhase, openEntryPhase } from './start/entry.ts';
import { type FollowingPhase, openFollowingPhase } from './start/following.ts';
import type { ThreadGround } from './start/ground.ts';
import { openKindsPhase } from './start/kinds.ts';
import { Later } from './start/later.ts';
import { openStorePhase } from './start/store.ts';
import type { ThreadSurroundings } from './start/surroundings.ts';
import type { Wiring } from './wiring.ts';

/** A server but for what its process does once: it answers requests, with its own kinds, watch caches and policies. */
export interface ServerThread
  extends
    FollowingPhase,
    Pick<EntryPhase, 'registers' | 'metrics' | 'auditor' | 'flowControl' | 'peers' | 'handle' | 'end' | 'retire'> {
  readonly ground: ThreadGround;
  readonly lifecycle: Lifecycle;
  readonly catalogue: LiveCatalogue;
  readonly charges: Charges;
  readonly serving: Serving;
  readonly access: Access;
  /** Resolves to the port. */
  listen(): Promise<number>;
  /** Connections that are open. */
  connections(): number;
  /** Tells the clients of a share of the connections to come again. */
  shed(shedding: Shedding): void;
  /** Closes all connections at once. */
  cutOff(): Promise<void>;
}

/** Opens all parts of a thread, phase by phase; it serves when it listens. */
export async function openThread(
  config: ServerConfig,
  wiring: Wiring,
  surroundings: ThreadSurroundings,
): Promise<ServerThread> {
  const { log, opened, onError, prepared, started, isFirst, shared, clock = systemClock } = surroundings;
  const registers = new Later<SharedRegisters>('the registers of services');
  const laterAccess = new Later<Access>('authentication and authorization');
  const aggregator = new Later<Aggregator>('the APIServices');
  const context = await serverContext(config, {
    clock,
    log,
    opened,
    threadName: shared.threadName,
    onError: onError('a part of the server failed'),
  });
  const charges = { delayed: new DelayedWrites(), admitted: new AdmittedUsages() };
  const catalogue = builtInCatalogue(config, wiring, {
    registers: () => registers.now,
    access: () => laterAccess.now,
    metric: context.metric,
    delayed: charges.delayed,
  });
  const plugins = pluginsByConfig(wiring.admissionPlugins, config.admission);
  const stored = await openStorePhase(config, { ...surroundings, context, catalogue });
  const kinds = openKindsPhase(config, { ...stored, context, catalogue, shared, aggregator });
  const { ground } = kinds;
  const { serving } = stored;
  const lifecycle = await prepared(ground);
  const access = await openAccessPhase(config, wiring, {
    context,
    ground,
    serving,
    charges,
    plugins,
    shared,
    later: laterAccess,
  });
  const entry = await openEntryPhase(config, wiring, {
    ...kinds,
    ...stored,
    log,
    lifecycle,
    access,
    shared,
    registers,
  });
  opened.use(ground.scopes);
  opened.defer(() => charges.delayed.flush());
  opened.defer(() => entry.end());
  opened.use(entry.connections);
  opened.defer(started);
  const following = await openFollowingPhase(config, { ...kinds, access, log, opened, onError, aggregator });
  const { listener } = entry;
  return {
    ...entry,
    ...following,
    ground,
    lifecycle,
    catalogue,
    charges,
    serving,
    access,
    connections: () => listener.connections,
    shed: (shedding) => listener.shed(shedding),
    cutOff: () => listener.destroy(),
    listen: () => listen(listener, serving.listenAddresses, { ...config.serving, isFirst }),
  };
}

/** Listens on the first address family that the machine has. */
async function listen(
  listener: Listener,
  addresses: readonly string[],
  { securePort, sharesPort, apiThreads, isFirst }: ServerConfig['serving'] & { readonly isFirst: boolean },
): Promise<number> {
  // Only for threads of this process: another one must not take the port.
  const isOurs = apiThreads !== 1 && !sharesPort;
  let failure: unknown;
  for (const address of addresses) {
    try {
      if (isOurs && isFirst && securePort !== 0) await checkUnused(address, securePort);
      return await listener.listen(address, securePort, sharesPort || isOurs);
    } catch (error) {
      failure = error;
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code !== 'EAFNOSUPPORT' && code !== 'EADDRNOTAVAIL') throw error;
    }
  }
  throw failure;
}
