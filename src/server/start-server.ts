import { mkdir } from 'node:fs/promises';
import { type Clock, systemClock } from '../api/time/clock.ts';
import { ConfigError } from '../api/errors/config-error.ts';
import { type Log, logSite } from '../api/contracts/log.ts';
import { AuthenticationInfo } from './access/authentication-info.ts';
import { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { chosenControllers } from '../controllers/controller-choice.ts';
import type { ControllerRow } from '../controllers/controller-table.ts';
import type { ControllerSettings } from '../controllers/controller-context.ts';
import { gatesByConfig } from './kinds/served-by-config.ts';
import type { RunningServer, ServerConfig } from './config.ts';
import { servedKinds } from './controllers/served-kinds.ts';
import { controllerManagers } from './controllers/controller-managers.ts';
import { ServerLog } from './logging/server-log.ts';
import { checkLogging } from './logging/logging-config.ts';
import type { StoreContent } from '../storage/embedded/store-content.ts';
import { openStore } from './store/open-store.ts';
import { partContext } from './part-context.ts';
import type { Serving } from './listening/serving.ts';
import { makeKubernetesService } from './services/make-kubernetes-service.ts';
import { runStartHooks, startHooksOf, type StartHookRow } from './start-hooks.ts';
import { builtInWiring, type Wiring } from './wiring.ts';
import { Lifecycle } from './lifecycle.ts';
import type { Store } from './store/store.ts';
import { openThreads } from './threads/open-threads.ts';
import { spreadsConnections } from './threads/thread-limits.ts';
import { openThread, type ServerThread } from './server-thread.ts';

const site = logSite('server/start-server.ts');

function logError(log: Log, message: string, error: unknown): void {
  log.write({ site, severity: 'error', message, error });
}

/** How long a store out of reach holds up the end of a server that serves nobody any more. */
const lastCallsMs = 5_000;

export interface StartOptions {
  readonly wiring?: Wiring;
  /** With what a store in memory begins. */
  readonly content?: StoreContent;
  /** The time of the API; the system's, unless given. */
  readonly clock?: Clock;
}

/** Starts a server and resolves once it serves. On failure everything opened is closed again. */
export async function startServer(
  config: ServerConfig,
  { wiring = builtInWiring, content, clock = systemClock }: StartOptions = {},
): Promise<RunningServer> {
  checkLogging(config.logging, gatesByConfig(config.api));
  await using opened = new AsyncDisposableStack();
  const possible = withPossibleThreads(config, wiring);
  return await startOn(await completeConfig(possible, opened), { wiring, content, clock }, opened);
}

/** Where there cannot be more than one thread, there is one. Throws a ConfigError if it is to be more. */
function withPossibleThreads(config: ServerConfig, wiring: Wiring): ServerConfig {
  const { serving } = config;
  if (serving.apiThreads === 1 || (spreadsConnections && wiring === builtInWiring)) return config;
  if (serving.apiThreads === 'auto') return { ...config, serving: { ...serving, apiThreads: 1 } };
  if (!spreadsConnections) throw new ConfigError(`several threads cannot serve on this system: ${process.platform}`);
  throw new ConfigError('parts of one program cannot serve in several threads');
}

/** A server behind another one learns from it how to know users. */
async function completeConfig(config: ServerConfig, opened: AsyncDisposableStack): Promise<ServerConfig> {
  const { authenticationKubeconfig, authorizationKubeconfig } = config.delegation;
  if ((authenticationKubeconfig ?? authorizationKubeconfig) === undefined) return config;
  const { delegatedConfig } = await import('./access/delegation.ts');
  const log = new ServerLog(config.logging, systemClock);
  const onError = (error: unknown): void => logError(log, 'the server in front could not be asked', error);
  return delegatedConfig(config, partContext({ clock: systemClock, log, opened, onError }));
}

/** Registers everything in `opened`, which is disposed of in reverse order, and moves it to the result at the end. */
async function startOn(
  config: ServerConfig,
  {
    wiring,
    content,
    clock,
  }: Required<Pick<StartOptions, 'wiring' | 'clock'>> & { readonly content: StoreContent | undefined },
  opened: AsyncDisposableStack,
): Promise<RunningServer> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const log = new ServerLog(config.logging, systemClock);
  const onError = (what: string) => (error: unknown) => logError(log, what, error);
  const rows = await checkedControllers(config, wiring);
  const startHooks = startHooksOf(wiring.startHooks, config);
  const later = {
    ...{ kubernetesService: () => service, authenticationInfo: () => info, registers: () => thread.registers },
    ...{ aggregator: () => thread.aggregator, admission: () => thread.judges.admission },
    ...{ definitions: () => thread.definitions, serverControllers: () => managers.serverControllers },
    ...{ flowControl: () => thread.flowControl, peers: () => thread.peers },
  };
  const runHooks = (when: StartHookRow['when'], { ground, lifecycle }: HookGround, port: number): Promise<void> =>
    runStartHooks(startHooks, when, {
      lifecycle,
      context: { ...ground, port, onLeave: lifecycle.onLeave, ...later },
    });
  const threads = wiring === builtInWiring ? await openThreads(config, log) : undefined;
  let started: Promise<void> = Promise.resolve();
  const thread = await openThread(config, wiring, {
    ...{ log, opened, onError, clock, started: () => started, isFirst: true, ticketKeys: threads?.ticketKeys },
    shared: threads?.shared ?? {},
    async openStore(schemaOf) {
      const store = await openStore(wiring.storageEngines, config, schemaOf, { content, clock });
      return (await threads?.sharing(store)) ?? store;
    },
    async prepared(ground) {
      const lifecycle = lifecycleOf(config, startHooks);
      await runHooks('early', { ground, lifecycle }, 0);
      return lifecycle;
    },
  });
  const { ground, lifecycle, catalogue, serving, judges, definitions } = thread;
  const { scopes, store, measure, egress, queues } = ground;
  const port = await thread.listen();
  const endServing = (): Promise<unknown> => threads?.end(thread.end()) ?? thread.end();
  opened.defer(async () => void (await endServing()));
  await threads?.start({ ...thread, ...thread.charges, port, store });
  const kubeconfigPath = await serving.writeAdminKubeconfig(port);
  const service = opened.use(makeKubernetesService(ground, port));
  const info = opened.use(await AuthenticationInfo.open({ ...ground, authority: serving.authority }));
  await runHooks('listening', thread, port);
  opened.use(thread.registers);
  opened.use(store.startCompactor(onError('compaction failed')));
  const settings = controllerSettings(config, serving, { ...judges, ...thread.charges, queues, catalogue });
  const client = { scopes, ...judges, clock, log, measure, egress, routing: config.aggregation };
  const working = { ...client, catalogue, settings, onError: onError('controller failed') };
  const managers = opened.use(controllerManagers(working, { rows, wiring, judges, store }));
  const served = runHooks('serving', thread, port).then(() => service.start());
  // Controllers need to know all kinds: one that is unknown would look empty.
  const followed = Promise.all([served, runHooks('following', thread, port)]).then(() => managers.controllers.start());
  const settled = (started = followed.catch(onError('the start failed')));
  opened.defer(() => definitions.stopWaiting());
  const parted = opened.move();
  // Controllers stop while requests end.
  const endAll = (): Promise<unknown> => Promise.all([ended({ end: endServing }, store), parted.disposeAsync()]);
  return {
    ...{ url: serving.url(port), kubeconfigPath, catalogue, settled, close: () => lifecycle.end(config, endAll) },
    ...(store.content === undefined ? {} : { content: store.content }),
  };
}

/** What start hooks find on the thread that runs them. */
type HookGround = Pick<ServerThread, 'ground' | 'lifecycle'>;

/** Ends what clients are served; then a store out of reach is waited for no longer. */
async function ended(thread: { end(): Promise<unknown> }, store: Pick<Store, 'closeIn'>): Promise<void> {
  await thread.end();
  store.closeIn?.(lastCallsMs);
}

/** Throws a ConfigError. */
async function checkedControllers(config: ServerConfig, wiring: Wiring): Promise<readonly ControllerRow[]> {
  const { collectsGarbage } = config.api;
  const choice = collectsGarbage ? config.controllers : ['-garbage-collector-controller', ...config.controllers];
  const rows = chosenControllers(choice, wiring.controllers);
  for (const { check } of rows) await check?.(config.control);
  return rows;
}

function controllerSettings(
  config: ServerConfig,
  { rootCa }: Serving,
  {
    catalogue,
    ...later
  }: Pick<ControllerSettings, 'accountTokens' | 'delayed' | 'admitted' | 'queues'> & {
    readonly catalogue: LiveCatalogue;
  },
): ControllerSettings {
  const { accountTokens, delayed, admitted, queues } = later;
  const featureGates = gatesByConfig(config.api);
  const kinds = servedKinds(catalogue);
  return { config: config.control, featureGates, rootCa, accountTokens, delayed, admitted, kinds, queues };
}

function lifecycleOf({ shutdown }: ServerConfig, startHooks: readonly StartHookRow[]): Lifecycle {
  const { livezGracePeriodMs } = shutdown;
  return new Lifecycle({ hooks: startHooks.map(({ name }) => name), livezGracePeriodMs });
}
