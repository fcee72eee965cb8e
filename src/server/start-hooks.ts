import type { PartContext } from '../api/part.ts';
import type { AuthenticationInfo } from './authentication-info.ts';
import { createSystemNamespaces } from './bootstrap.ts';
import { type BootstrapObject, ensureObject, legacyTokenTracking, systemPriorityClasses } from './bootstrap-objects.ts';
import { ensureBootstrapPolicy } from './bootstrap-policy.ts';
import type { ServerConfig } from './config.ts';
import { collectIdentityLeases, holdIdentityLease } from './identity-leases.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Store } from './store.ts';
import type { ResourceScopes } from './resource-scopes.ts';
import { gatesByConfig } from './served-by-config.ts';
import type { KubernetesService } from './services/kubernetes-service.ts';
import type { SharedRegisters } from './services/service-registers.ts';

/** What start hooks work with. */
export interface StartHookContext extends PartContext {
  readonly config: ServerConfig;
  readonly scopes: ResourceScopes;
  readonly store: Pick<Store, 'isShared'>;
  /** The port that is listened on; 0 before that. */
  readonly port: number;
  /** What services reserve; not before anybody is served. */
  readonly registers: () => SharedRegisters;
  /** Not before the port is known. */
  readonly kubernetesService: () => KubernetesService;
  readonly authenticationInfo: () => AuthenticationInfo;
}

/** Something that is done at each start. A hook that throws ends the start. */
export interface StartHookRow {
  /** Health checks show it as `poststarthook/NAME`; the reference's name where it has such a hook. */
  readonly name: string;
  /** `early`: before anybody is served. `serving`: the start does not wait for it, but readiness does. */
  readonly when: 'early' | 'listening' | 'serving';
  /** The feature gate without which there is no such hook. */
  readonly gate?: string;
  /** What runs until the server stops says so in `onStop` before it waits for anything. */
  readonly run: (context: StartHookContext) => void | Promise<void>;
}

/** Those of one moment run at the same time. */
export const startHookTable: readonly StartHookRow[] = [
  {
    name: 'start-system-namespaces-controller',
    when: 'early',
    run: ({ scopes, clock }) => createSystemNamespaces(scopes.now, clock),
  },
  { name: 'start-service-ip-repair-controllers', when: 'serving', run: ({ registers }) => registers().repaired() },
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
    name: 'bootstrap-controller',
    // Its service has an address of a range that another hook declares.
    when: 'serving',
    run: ({ kubernetesService }) => kubernetesService().prepare(),
  },
  {
    name: 'start-kubernetes-service-cidr-controller',
    when: 'listening',
    run: ({ kubernetesService, onError }) => kubernetesService().declareRanges().catch(onError),
  },
  {
    name: 'start-cluster-authentication-info-controller',
    when: 'serving',
    run: ({ authenticationInfo }) => authenticationInfo().tell(),
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
    name: 'start-legacy-token-tracking-controller',
    when: 'serving',
    run: (context) => ensureObjects(context, [legacyTokenTracking(context.clock.now())]),
  },
];

/** The rows of the server that the configuration describes. */
export function startHooksOf(table: readonly StartHookRow[], { api }: ServerConfig): readonly StartHookRow[] {
  const gates = gatesByConfig(api);
  return table.filter(({ gate }) => gate === undefined || gates.get(gate) === true);
}

/** An object that cannot be made keeps nobody from being served. */
async function ensureObjects(
  { scopes, clock, onError }: StartHookContext,
  wanted: readonly BootstrapObject[],
): Promise<void> {
  await Promise.all(wanted.map((object) => ensureObject(scopes.now, object, clock).catch(onError)));
}

/** Runs the hooks of one moment. */
export async function runStartHooks(
  table: readonly StartHookRow[],
  when: StartHookRow['when'],
  { lifecycle, context }: { readonly lifecycle: Lifecycle; readonly context: StartHookContext },
): Promise<void> {
  const hooks = table.filter((row) => row.when === when);
  await Promise.all(
    hooks.map(async ({ name, run }) => {
      await run(context);
      lifecycle.finish(name);
    }),
  );
}
