import type { Clock } from '../../api/time/clock.ts';
import type { ControllerRow } from '../../controllers/controller-table.ts';
import type { ControllerSettings } from '../../controllers/controller-context.ts';
import { AuthenticationInfo } from '../access/authentication-info.ts';
import type { ServerConfig } from '../config.ts';
import { controllerManagers } from '../controllers/controller-managers.ts';
import { servedKinds } from '../controllers/served-kinds.ts';
import { gatesByConfig } from '../kinds/served-by-config.ts';
import type { ServerThread } from '../server-thread.ts';
import { makeKubernetesService } from '../services/make-kubernetes-service.ts';
import { type HookContexts, hooksIn, runStartHooks, type StartHookRow } from '../start-hooks.ts';
import type { Wiring } from '../wiring.ts';
import type { ThreadSurroundings } from './surroundings.ts';
import { threadHookContext } from './thread-hook-context.ts';

/** What the server does beside serving requests. */
export interface BackgroundPhase {
  /** Resolves when the start hooks have finished and controllers have started, or a hook has failed. */
  readonly settled: Promise<void>;
}

export interface BackgroundPhaseOptions extends Pick<ThreadSurroundings, 'log' | 'onError' | 'opened'> {
  readonly thread: ServerThread;
  /** On which the thread listens. */
  readonly port: number;
  readonly clock: Clock;
  readonly wiring: Wiring;
  readonly rows: readonly ControllerRow[];
  readonly startHooks: readonly StartHookRow[];
}

export async function openBackgroundPhase(
  config: ServerConfig,
  { thread, port, clock, wiring, rows, startHooks, log, onError, opened }: BackgroundPhaseOptions,
): Promise<BackgroundPhase> {
  const { ground, lifecycle, catalogue, serving, access } = thread;
  const { scopes, store, metric, egress } = ground;
  const run = <When extends 'listening' | 'serving' | 'following'>(
    when: When,
    context: HookContexts[When],
  ): Promise<void> => runStartHooks(hooksIn(startHooks, when), { lifecycle, context });
  const kubernetesService = opened.use(makeKubernetesService(ground, port));
  const authenticationInfo = opened.use(await AuthenticationInfo.open({ ...ground, authority: serving.authority }));
  const context = { ...threadHookContext(thread, port), kubernetesService, authenticationInfo };
  await run('listening', context);
  opened.use(thread.registers);
  opened.use(store.startCompactor(onError('compaction failed')));
  const settings = controllerSettings(config, thread);
  const client = { scopes, ...access, clock, log, metric, egress, routing: config.aggregation };
  const working = { ...client, catalogue, settings, onError: onError('controller failed') };
  const managers = opened.use(controllerManagers(working, { rows, wiring, access, store }));
  const { controllers, serverControllers } = managers;
  const served = run('serving', context).then(() => kubernetesService.start());
  const followed = run('following', { ...context, serverControllers });
  // Controllers need to know all kinds: one that is unknown would look empty.
  const started = Promise.all([served, followed]).then(() => controllers.start());
  return { settled: started.catch(onError('the start failed')) };
}

function controllerSettings(
  config: ServerConfig,
  { serving: { rootCa }, access, charges, catalogue, ground }: ServerThread,
): ControllerSettings {
  return {
    config: config.control,
    featureGates: gatesByConfig(config.api),
    rootCa,
    accountTokens: access.accountTokens,
    delayed: charges.delayed,
    admitted: charges.admitted,
    kinds: servedKinds(catalogue),
    queues: ground.queues,
  };
}
