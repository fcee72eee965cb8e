import type { HealthCheck } from '../http/routes/health.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Serving } from './serving.ts';
import type { Store } from './store.ts';

export type HealthEndpoint = 'healthz' | 'livez' | 'readyz';

/** Dependencies of the health checks. */
export interface HealthContext {
  readonly store: Pick<Store, 'check' | 'checkReady' | 'overrides'>;
  readonly lifecycle: Pick<Lifecycle, 'isStopping'>;
  readonly serving: Pick<Serving, 'checkCertificate'>;
}

/** One check, under the reference's name if it has one. */
export interface HealthCheckRow {
  readonly name: string;
  /** Absent: all. */
  readonly endpoints?: readonly HealthEndpoint[];
  /** Left out where this name is to be left out. */
  readonly group?: string;
  /** Shown after the checks of start hooks. */
  readonly isLast?: boolean;
  /** Throws or rejects if unhealthy. */
  readonly check: (context: HealthContext) => void | Promise<void>;
}

/** In the order in which they run and are shown. */
export const healthCheckTable: readonly HealthCheckRow[] = [
  { name: 'ping', check: () => undefined },
  { name: 'log', check: () => undefined },
  {
    name: 'loopback-serving-certificate',
    endpoints: ['healthz', 'livez'],
    check: ({ serving }) => serving.checkCertificate(),
  },
  { name: 'etcd', group: 'etcd', check: ({ store }) => store.check() },
  { name: 'etcd-readiness', group: 'etcd-readiness', endpoints: ['readyz'], check: ({ store }) => store.checkReady() },
  // APIServices of this server are complete before they are read.
  { name: 'autoregister-completion', isLast: true, check: () => undefined },
  {
    name: 'shutdown',
    endpoints: ['readyz'],
    isLast: true,
    check: ({ lifecycle }) => failUnless(!lifecycle.isStopping, 'process is shutting down'),
  },
];

export interface HealthParts extends HealthContext {
  readonly rows: readonly HealthCheckRow[];
  readonly lifecycle: Lifecycle;
}

/** The checks of one endpoint: the rows, and one per start hook. */
export function healthChecks({ rows, ...context }: HealthParts, endpoint: HealthEndpoint): readonly HealthCheck[] {
  const { lifecycle } = context;
  const made = [...rows, ...overrideRows(context)]
    .filter(({ endpoints }) => endpoints?.includes(endpoint) ?? true)
    .map(({ name, group, isLast = false, check }) => ({ name, group, isLast, check: () => check(context) }));
  const hooks = lifecycle.hooks.map((name) => ({
    name: `poststarthook/${name}`,
    check: () => failUnless(lifecycle.hasRun(name) || (endpoint === 'livez' && lifecycle.isInGrace), 'not finished'),
  }));
  return [...made.filter(({ isLast }) => !isLast), ...hooks, ...made.filter(({ isLast }) => isLast)];
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

function failUnless(condition: boolean, why: string): void {
  if (!condition) throw new Error(why);
}
