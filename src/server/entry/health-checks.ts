import type { Encryption } from '../../encryption/encryption.ts';
import type { HealthCheck } from '../../http/routes/health.ts';
import type { Lifecycle } from '../lifecycle.ts';
import type { Serving } from '../listening/serving.ts';
import type { Store } from '../store/store.ts';

export type HealthEndpoint = 'healthz' | 'livez' | 'readyz';

/** Dependencies of the health checks. */
export interface HealthContext {
  readonly store: Pick<Store, 'check' | 'checkReady' | 'overrides'>;
  readonly lifecycle: Pick<Lifecycle, 'isStopping' | 'hasRun' | 'hooks'>;
  readonly serving: Pick<Serving, 'checkCertificate'>;
  /** Whether all other threads of the process serve requests; undefined: there are none. */
  readonly othersServe?: (() => boolean) | undefined;
  /** The encryption of the store, if there is one. */
  readonly encryption?: Pick<Encryption, 'checks'> | undefined;
}

/** One check, under the reference's name if it has one. */
export interface HealthCheckRow {
  readonly name: string;
  /** Absent: all. */
  readonly endpoints?: readonly HealthEndpoint[];
  /** Left out where this name is to be left out. */
  readonly group?: string;
  /** Shown after the check of this start hook, or `all`; absent: before them. */
  readonly after?: string;
  /** Throws or rejects if unhealthy. */
  readonly check: (context: HealthContext) => void | Promise<void>;
}

/** Checks that a configuration decides about, at their place in the order. */
export interface ConfiguredRows extends Pick<HealthCheckRow, 'endpoints'> {
  readonly checksOf: (context: HealthContext) => readonly Pick<HealthCheckRow, 'name' | 'check'>[];
}

const informers = 'generic-apiserver-start-informers';

/** In the order in which they run and are shown. */
export const healthCheckTable: readonly (HealthCheckRow | ConfiguredRows)[] = [
  { name: 'ping', check: () => undefined },
  { name: 'log', check: () => undefined },
  {
    name: 'loopback-serving-certificate',
    endpoints: ['healthz', 'livez'],
    check: ({ serving }) => serving.checkCertificate(),
  },
  { name: 'etcd', group: 'etcd', check: ({ store }) => store.check() },
  { name: 'etcd-readiness', group: 'etcd-readiness', endpoints: ['readyz'], check: ({ store }) => store.checkReady() },
  // A plugin that fails does not make the server restart.
  { endpoints: ['healthz', 'readyz'], checksOf: ({ encryption }) => encryption?.checks ?? [] },
  {
    name: 'informer-sync',
    endpoints: ['readyz'],
    check: ({ lifecycle }) =>
      failUnless(!lifecycle.hooks.includes(informers) || lifecycle.hasRun(informers), 'not finished'),
  },
  {
    endpoints: ['readyz'],
    checksOf: ({ othersServe }) =>
      othersServe === undefined ? [] : [{ name: 'api-threads', check: () => failUnless(othersServe(), 'not started') }],
  },
  // APIServices of this server are complete before they are read.
  { name: 'autoregister-completion', after: 'kube-apiserver-autoregistration', check: () => undefined },
  {
    name: 'shutdown',
    endpoints: ['readyz'],
    after: 'all',
    check: ({ lifecycle }) => failUnless(!lifecycle.isStopping, 'process is shutting down'),
  },
];

export interface HealthParts extends HealthContext {
  readonly rows: readonly (HealthCheckRow | ConfiguredRows)[];
  readonly lifecycle: Lifecycle;
}

/** The checks of one endpoint: the rows, and one per start hook. */
export function healthChecks({ rows, ...context }: HealthParts, endpoint: HealthEndpoint): readonly HealthCheck[] {
  const { lifecycle } = context;
  const made = [...rows.flatMap((row) => rowsOf(row, context)), ...overrideRows(context)]
    .filter(({ endpoints }) => endpoints?.includes(endpoint) ?? true)
    .map(({ name, group, after, check }) => ({ name, group, after, check: () => check(context) }));
  const placeOf = (after: string | undefined) =>
    after === undefined || lifecycle.hooks.includes(after) ? after : 'all';
  const madeAfter = (place: string | undefined) => made.filter(({ after }) => placeOf(after) === place);
  const hooks = lifecycle.hooks.flatMap((name) => [
    {
      name: `poststarthook/${name}`,
      check: () => failUnless(lifecycle.hasRun(name) || (endpoint === 'livez' && lifecycle.isInGrace), 'not finished'),
    },
    ...madeAfter(name),
  ]);
  return [...madeAfter(undefined), ...hooks, ...madeAfter('all')];
}

/** The places of single resources are told by their numbers. */
function overrideRows({ store: { overrides = [] } }: HealthContext): readonly HealthCheckRow[] {
  return overrides.flatMap(({ check, checkReady }, index) => [
    { name: `etcd-override-${index}`, group: 'etcd', check },
    {
      name: `etcd-override-readiness-${index}`,
      group: 'etcd-readiness',
      endpoints: ['readyz'] as const,
      check: checkReady,
    },
  ]);
}

function rowsOf(row: HealthCheckRow | ConfiguredRows, context: HealthContext): readonly HealthCheckRow[] {
  if (!('checksOf' in row)) return [row];
  const { endpoints, checksOf } = row;
  return checksOf(context).map((check) => ({ ...check, ...(endpoints === undefined ? {} : { endpoints }) }));
}

function failUnless(condition: boolean, why: string): void {
  if (!condition) throw new Error(why);
}
