import type { Admission } from '../api/contracts/admission.ts';
import type { Aggregator } from '../aggregation/aggregator.ts';
import { deadlineIn, msUntil, settledBy } from '../api/time/deadline.ts';
import type { PartContext } from '../api/contracts/part.ts';
import { pause } from '../api/scheduling/pause.ts';
import type { FlowControl } from '../flowcontrol/flow-control.ts';
import type { AuthenticationInfo } from './access/authentication-info.ts';
import { createSystemNamespaces } from '../system/system-namespaces.ts';
import type { ControllerManager } from './controllers/controller-manager.ts';
import {
  type BootstrapObject,
  ensureObject,
  legacyTokenTracking,
  systemPriorityClasses,
} from '../system/bootstrap-objects.ts';
import { ensureBootstrapPolicy } from '../system/bootstrap-policy.ts';
import type { ServerConfig } from './config.ts';
import { consumeFlowConfiguration, produceFlowConfiguration } from './flow-control/flow-control-hooks.ts';
import type { FollowedDefinitions } from './kinds/definitions.ts';
import { collectIdentityLeases, holdIdentityLease } from './identity-leases.ts';
import { holdPeerEndpoint, peerAddress, PeerEndpoints } from './peers/peer-endpoint.ts';
import { serverId } from './server-id.ts';
import type { Peers } from '../aggregation/peers/peers.ts';
import type { Leaving, Lifecycle } from './lifecycle.ts';
import type { Store } from './store/store.ts';
import type { ResourceScopes } from '../scopes/resource-scopes.ts';
import { gatesByConfig } from './kinds/served-by-config.ts';
import type { KubernetesService } from '../services/kubernetes-service.ts';
import type { SharedRegisters } from './services/service-registers.ts';

/** What hooks find before requests are served. */
export interface EarlyHookContext extends PartContext, Leaving {
  readonly config: ServerConfig;
  readonly scopes: ResourceScopes;
  readonly store: Pick<Store, 'isShared' | 'checkReady' | 'storage' | 'format'>;
}

/** What hooks find on each thread that serves. */
export interface ThreadHookContext extends EarlyHookContext {
  /** The listening port. */
  readonly port: number;
  /** Undefined: priority and fairness is off. */
  readonly flowControl: FlowControl | undefined;
  /** Allocations of services. */
  readonly registers: SharedRegisters;
  readonly aggregator: Aggregator;
  /** Undefined: requests are not passed on to other servers of the store. */
  readonly peers: Peers | undefined;
  readonly admission: Admission;
  readonly definitions: FollowedDefinitions;
}

/** What hooks find that run once in the process, while it listens. */
export interface ServingHookContext extends ThreadHookContext {
  readonly kubernetesService: KubernetesService;
  readonly authenticationInfo: AuthenticationInfo;
}

export interface FollowingHookContext extends ServingHookContext {
  /** The controllers that belong to the API server. */
  readonly serverControllers: ControllerManager;
}

/** The phases of the start in which hooks run, and what they find there. */
export interface HookContexts {
  /** Before requests are served. */
  readonly early: EarlyHookContext;
  readonly listening: ServingHookContext;
  /** The start does not wait for it, but readiness does. */
  readonly serving: ServingHookContext;
  /** As `serving`, when all that is followed from the start is known, which unreadable objects prevent. */
  readonly following: FollowingHookContext;
}

/** Work done on each start. */
export interface StartHook<Context> {
  /** Shown in health checks as `poststarthook/NAME`; the reference's name if it has such a hook. */
  readonly name: string;
  /**
   * One that throws aborts the start. One that runs until the server stops must register with `onStop` before its first
   * await.
   */
  readonly run: (context: Context) => void | Promise<void>;
}

interface HookConditions {
  /** The hook exists only with this feature gate. */
  readonly gate?: string;
  /** The hook exists only with such a configuration; absent: always. */
  readonly isFor?: (config: ServerConfig) => boolean;
}

interface PhaseHookRow<When extends keyof HookContexts> extends StartHook<HookContexts[When]>, HookConditions {
  readonly when: When;
  readonly inEachThread?: undefined;
}

/** It also runs in each thread that serves beside the first. */
interface ThreadHookRow extends StartHook<ThreadHookContext>, HookConditions {
  readonly when: 'serving';
  readonly inEachThread: true;
}

export type StartHookRow = { [When in keyof HookContexts]: PhaseHookRow<When> }[keyof HookContexts] | ThreadHookRow;

/** Hooks of the same phase run concurrently. */
export const startHookTable: readonly StartHookRow[] = [
  {
    name: 'start-encryption-provider-config-automatic-reload',
    when: 'listening',
    isFor: ({ storage }) => storage.encryption.automaticReload,
    // The file is followed from when it is read.
    run: () => undefined,
  },
  {
    name: 'start-apiserver-admission-initializer',
    when: 'listening',
    // The plugins are made, with what they read from files; what they read from the store they follow from first use.
    run: () => undefined,
  },
  {
    name: 'generic-apiserver-start-informers',
    when: 'following',
    // All that is followed from the start; the rest is followed from first use.
    run: ({ definitions, aggregator }) => Promise.all([definitions.settled, aggregator.settled]).then(() => undefined),
  },
  ...flowControlHooks(),
  // What is stored is counted by the watch caches.
  { name: 'storage-object-count-tracker-hook', when: 'listening', run: () => undefined },
  ...definitionHooks(),
  {
    name: 'start-system-namespaces-controller',
    when: 'early',
    run: ({ scopes, clock }) => createSystemNamespaces(scopes.now, clock),
  },
  ...peerHooks(),
  {
    name: 'start-cluster-authentication-info-controller',
    when: 'serving',
    run: ({ authenticationInfo }) => authenticationInfo.tell(),
  },
  {
    name: 'start-kube-apiserver-identity-lease-controller',
    when: 'serving',
    gate: 'APIServerIdentity',
    run: (context) => holdIdentityLease(context),
  },
  {
    name: 'start-kube-apiserver-identity-lease-garbage-collector',
    when: 'serving',
    gate: 'APIServerIdentity',
    run: (context) => collectIdentityLeases(context),
  },
  {
    name: 'storage-readiness',
    when: 'serving',
    gate: 'WatchCacheInitializationPostStartHook',
    // Watch caches are filled on first use, so that it is enough if the store answers.
    run: (context) => awaitStore(context),
  },
  {
    name: 'start-legacy-token-tracking-controller',
    when: 'serving',
    run: (context) => ensureObjects(context, [legacyTokenTracking(context.clock.now())]),
  },
  { name: 'start-service-ip-repair-controllers', when: 'serving', run: ({ registers }) => registers.repaired() },
  {
    name: 'rbac/bootstrap-roles',
    when: 'serving',
    run: ({ scopes, clock, config, onError }) =>
      ensureBootstrapPolicy({ kinds: scopes.now, gates: gatesByConfig(config.api), clock, onError }),
  },
  {
    name: 'scheduling/bootstrap-system-priority-classes',
    when: 'listening',
    run: (context) => ensureObjects(context, systemPriorityClasses),
  },
  {
    name: 'priority-and-fairness-config-producer',
    when: 'serving',
    run: (context) => produceFlowConfiguration(context),
  },
  {
    name: 'bootstrap-controller',
    // The service needs an address from a range that another hook declares.
    when: 'serving',
    run({ kubernetesService, onLeave }) {
      onLeave(() => kubernetesService.leave());
      return kubernetesService.prepare();
    },
  },
  {
    name: 'start-kubernetes-service-cidr-controller',
    when: 'listening',
    run: ({ kubernetesService, onError }) => kubernetesService.declareRanges().catch(onError),
  },
  {
    name: 'start-kube-apiserver-coordinated-leader-election-controller',
    when: 'following',
    gate: 'CoordinatedLeaderElection',
    // Whoever leads, the server is ready.
    run: ({ serverControllers, onError }) => void serverControllers.start().catch(onError),
  },
  ...aggregationHooks(),
];

/** The hooks named after filters do nothing here: what those have counted is read when it is asked for. */
function flowControlHooks(): readonly StartHookRow[] {
  const isOn = ({ requests }: ServerConfig): boolean => requests.priorityAndFairness;
  return [
    {
      name: 'priority-and-fairness-config-consumer',
      when: 'serving',
      inEachThread: true,
      isFor: isOn,
      run: (context) => consumeFlowConfiguration(context),
    },
    { name: 'priority-and-fairness-filter', when: 'listening', isFor: isOn, run: () => undefined },
    { name: 'max-in-flight-filter', when: 'listening', isFor: (config) => !isOn(config), run: () => undefined },
  ];
}

/** Discovery of this server is read where it is. */
function peerHooks(): readonly StartHookRow[] {
  const gate = 'UnknownVersionInteroperabilityProxy';
  const isFor = ({ peers }: ServerConfig): boolean => peers.caFile !== undefined;
  return [
    {
      name: 'peer-endpoint-reconciler-controller',
      when: 'serving',
      gate,
      run(context) {
        const { store, config, port } = context;
        if (!store.isShared) return;
        const own = { serverId: serverId(config.peers.hostName), address: peerAddress(config, port) };
        holdPeerEndpoint(new PeerEndpoints(store, config.storage.prefix), own, context);
      },
    },
    {
      name: 'mixed-version-proxy-handler',
      when: 'serving',
      inEachThread: true,
      gate,
      isFor,
      run: ({ peers }) => peers?.start(),
    },
    { name: 'local-discovery-cache-sync', when: 'serving', gate, isFor, run: () => undefined },
    { name: 'peer-discovery-workers', when: 'serving', gate, isFor, run: () => undefined },
  ];
}

/** One part does what are several in kube-apiserver: it serves the stored definitions and follows them. */
function definitionHooks(): readonly StartHookRow[] {
  const names = ['start-apiextensions-informers', 'start-apiextensions-controllers', 'crd-informer-synced'];
  return names.map((name) => ({ name, when: 'following', run: ({ definitions }) => definitions.settled }));
}

/** One part does what are several in kube-apiserver: it follows APIServices and what they serve. */
function aggregationHooks(): readonly StartHookRow[] {
  const names = [
    'start-kube-aggregator-informers',
    'apiservice-status-local-available-controller',
    'apiservice-status-remote-available-controller',
    'apiservice-registration-controller',
    'apiservice-discovery-controller',
    'kube-apiserver-autoregistration',
    'apiservice-openapi-controller',
    'apiservice-openapiv3-controller',
  ];
  return names.map((name) => ({ name, when: 'following', run: ({ aggregator }) => aggregator.settled }));
}

/** The hooks of a server with this configuration. */
export function startHooksOf(table: readonly StartHookRow[], config: ServerConfig): readonly StartHookRow[] {
  const gates = gatesByConfig(config.api);
  const isOpen = (gate: string | undefined): boolean => gate === undefined || gates.get(gate) === true;
  return table.filter(({ gate, isFor }) => isOpen(gate) && isFor?.(config) !== false);
}

/** The pause between attempts. */
const storeRetryMs = 100;

/** A store that does not answer in time does not keep the server from being ready: it is checked for by itself. */
async function awaitStore({ store, config, onStop, onError }: EarlyHookContext): Promise<void> {
  const stop = new AbortController();
  const stopped = Promise.withResolvers<void>();
  onStop(() => {
    stop.abort();
    stopped.resolve();
  });
  const endMs = deadlineIn(config.storage.initializationTimeoutMs);
  const late = (): Error => new Error('the store is not ready in time');
  while (!stop.signal.aborted) {
    try {
      return await settledBy(endMs, Promise.race([store.checkReady(), stopped.promise]), late);
    } catch (error) {
      if (msUntil(endMs) <= 0) return onError(error);
      await pause(storeRetryMs, stop.signal);
    }
  }
}

/** An object that cannot be created does not keep the server from serving. */
async function ensureObjects(
  { scopes, clock, onError }: EarlyHookContext,
  wanted: readonly BootstrapObject[],
): Promise<void> {
  await Promise.all(wanted.map((object) => ensureObject(scopes.now, object, clock).catch(onError)));
}

/** The hooks of one phase. */
export function hooksIn<When extends keyof HookContexts>(
  table: readonly StartHookRow[],
  when: When,
): readonly StartHook<HookContexts[When]>[] {
  const isIn = (row: StartHookRow): row is StartHookRow & StartHook<HookContexts[When]> => row.when === when;
  return table.filter(isIn);
}

export function hooksInEachThread(table: readonly StartHookRow[]): readonly StartHook<ThreadHookContext>[] {
  return table.filter((row) => row.inEachThread === true);
}

/** Runs hooks concurrently. */
export async function runStartHooks<Context>(
  hooks: readonly StartHook<Context>[],
  { lifecycle, context }: { readonly lifecycle: Lifecycle; readonly context: Context },
): Promise<void> {
  await Promise.all(
    hooks.map(async ({ name, run }) => {
      await run(context);
      lifecycle.finish(name);
    }),
  );
}
