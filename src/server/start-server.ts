import { mkdir } from 'node:fs/promises';
import { type Clock, systemClock } from '../api/time/clock.ts';
import { ConfigError } from '../api/errors/config-error.ts';
import { type Log, logSite } from '../api/contracts/log.ts';
import { chosenControllers } from '../controllers/controller-choice.ts';
import type { ControllerRow } from '../controllers/controller-table.ts';
import { gatesByConfig } from './kinds/served-by-config.ts';
import type { RunningServer, ServerConfig } from './config.ts';
import { ServerLog } from './logging/server-log.ts';
import { checkLogging } from './logging/logging-config.ts';
import type { StoreContent } from '../storage/embedded/store-content.ts';
import { openStore } from './store/open-store.ts';
import { partContext } from './part-context.ts';
import { hooksIn, runStartHooks, startHooksOf, type StartHookRow } from './start-hooks.ts';
import { openBackgroundPhase } from './start/background.ts';
import type { ServerIdentity } from './listening/server-identity.ts';
import { openListeningPhase } from './start/listening.ts';
import { builtInWiring, type Wiring } from './wiring.ts';
import { Lifecycle } from './lifecycle.ts';
import type { Store } from './store/store.ts';
import { openThreads } from './threads/open-threads.ts';
import { spreadsConnections } from './threads/thread-limits.ts';
import { openThread } from './server-thread.ts';

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
  /** That of another server, for a clone of it; otherwise the certificates are read from their folder, or generated. */
  readonly identity?: ServerIdentity;
  /** The time of the API; the system's, unless given. */
  readonly clock?: Clock;
}

interface GivenOptions extends Required<Pick<StartOptions, 'wiring' | 'clock'>> {
  readonly content: StoreContent | undefined;
  readonly identity: ServerIdentity | undefined;
}

/** Starts a server and resolves once it serves. On failure everything opened is closed again. */
export async function startServer(
  config: ServerConfig,
  { wiring = builtInWiring, content, identity, clock = systemClock }: StartOptions = {},
): Promise<RunningServer> {
  checkLogging(config.logging, gatesByConfig(config.api));
  await using opened = new AsyncDisposableStack();
  const possible = withPossibleThreads(config, wiring);
  return await startOn(await completeConfig(possible, opened), { wiring, content, identity, clock }, opened);
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
  { wiring, content, identity, clock }: GivenOptions,
  opened: AsyncDisposableStack,
): Promise<RunningServer> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const log = new ServerLog(config.logging, systemClock);
  const onError = (what: string) => (error: unknown) => logError(log, what, error);
  const rows = await checkedControllers(config, wiring);
  const startHooks = startHooksOf(wiring.startHooks, config);
  const threads = wiring === builtInWiring ? await openThreads(config, log) : undefined;
  let started: Promise<void> = Promise.resolve();
  const thread = await openThread(config, wiring, {
    log,
    opened,
    onError,
    clock,
    started: () => started,
    isFirst: true,
    ticketKeys: threads?.ticketKeys,
    identity,
    shared: threads?.shared ?? {},
    async openStore(schemaOf) {
      const store = await openStore(wiring.storageEngines, config, schemaOf, { content, clock });
      return (await threads?.sharing(store)) ?? store;
    },
    async prepared(ground) {
      const lifecycle = lifecycleOf(config, startHooks);
      const context = { ...ground, onLeave: lifecycle.onLeave };
      await runStartHooks(hooksIn(startHooks, 'early'), { lifecycle, context });
      return lifecycle;
    },
  });
  const { port, written, endServing } = await openListeningPhase({ thread, threads, opened });
  const { settled } = await openBackgroundPhase(config, {
    thread,
    port,
    clock,
    wiring,
    rows,
    startHooks,
    log,
    onError,
    opened,
  });
  started = settled;
  opened.defer(() => thread.definitions.stopWaiting());
  const parted = opened.move();
  const { store } = thread.ground;
  // Controllers stop while requests end.
  const endAll = (): Promise<unknown> => Promise.all([ended({ end: endServing }, store), parted.disposeAsync()]);
  return {
    url: thread.serving.url(port),
    ...written,
    identity: thread.serving.identity,
    catalogue: thread.catalogue,
    settled,
    close: () => thread.lifecycle.end(config, endAll),
    ...(store.content === undefined ? {} : { content: store.content }),
  };
}

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

function lifecycleOf({ shutdown }: ServerConfig, startHooks: readonly StartHookRow[]): Lifecycle {
  const { livezGracePeriodMs } = shutdown;
  return new Lifecycle({ hooks: startHooks.map(({ name }) => name), livezGracePeriodMs });
}
