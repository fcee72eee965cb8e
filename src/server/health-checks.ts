import type { HealthCheck } from '../http/routes/health.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Store } from './open-store.ts';

export type HealthEndpoint = 'healthz' | 'livez' | 'readyz';

/** Dependencies of the health checks. */
export interface HealthContext {
  readonly store: Pick<Store, 'check' | 'checkReady'>;
  readonly lifecycle: Pick<Lifecycle, 'isStopping'>;
}

/** One check, under the reference's name if it has one. */
export interface HealthCheckRow {
  readonly name: string;
  /** Absent: all. */
  readonly endpoints?: readonly HealthEndpoint[];
  /** Shown after the checks of start hooks. */
  readonly isLast?: boolean;
  /** Throws or rejects if unhealthy. */
  readonly check: (context: HealthContext) => void | Promise<void>;
}

/** In the order in which they run and are shown. */
export const healthCheckTable: readonly HealthCheckRow[] = [
  { name: 'ping', check: () => undefined },
  { name: 'log', check: () => undefined },
  { name: 'etcd', check: ({ store }) => store.check() },
  { name: 'etcd-readiness', endpoints: ['readyz'], check: ({ store }) => store.checkReady() },
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
  const made = rows
    .filter(({ endpoints }) => endpoints?.includes(endpoint) ?? true)
    .map((row) => ({ isLast: row.isLast === true, name: row.name, check: () => row.check(context) }));
  const hooks = lifecycle.hooks.map((name) => ({
    name: `poststarthook/${name}`,
    check: () => failUnless(lifecycle.hasRun(name) || (endpoint === 'livez' && lifecycle.isInGrace), 'not finished'),
  }));
  return [...made.filter(({ isLast }) => !isLast), ...hooks, ...made.filter(({ isLast }) => isLast)];
}

function failUnless(condition: boolean, why: string): void {
  if (!condition) throw new Error(why);
}
