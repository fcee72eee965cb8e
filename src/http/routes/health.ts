import { goQuote } from '../../api/go/go-quote.ts';

/** A check of a health endpoint. `check` throws or rejects if unhealthy. */
export interface HealthCheck {
  readonly name: string;
  /** Left out where this name is to be left out. */
  readonly group?: string | undefined;
  check(): void | Promise<void>;
}

export interface HealthResponse {
  readonly code: number;
  readonly body: string;
}

/** Notes the result of a check that was run for an endpoint. */
export type HealthObserver = (result: {
  readonly name: string;
  readonly endpoint: string;
  readonly isHealthy: boolean;
}) => void;

/** Query parameters of health endpoints (specification, "Health endpoints"). */
export interface HealthQuery {
  readonly verbose: boolean;
  /** Names of checks to skip. */
  readonly excluded: ReadonlySet<string>;
  readonly observe: HealthObserver;
}

/** Runs the checks of `/healthz`, `/livez` or `/readyz` (`endpoint` without the slash). */
export async function checkHealth(
  endpoint: string,
  checks: readonly HealthCheck[],
  query: HealthQuery,
): Promise<HealthResponse> {
  const lines: string[] = [];
  /** Excluded names that match a check or a group. */
  const skipped = new Set<string>();
  let failed = false;
  for (const candidate of checks) {
    const { name, group } = candidate;
    if (query.excluded.has(name)) {
      skipped.add(name);
      lines.push(`[+]${name} excluded: ok\n`);
      continue;
    }
    if (group !== undefined && query.excluded.has(group)) {
      skipped.add(group);
      lines.push(`[+]${name} excluded with ${group}: ok\n`);
      continue;
    }
    try {
      await candidate.check();
      query.observe({ name, endpoint, isHealthy: true });
      lines.push(`[+]${name} ok\n`);
    } catch {
      // The reason may reveal internals; it is logged, not sent.
      failed = true;
      query.observe({ name, endpoint, isHealthy: false });
      lines.push(`[-]${name} failed: reason withheld\n`);
    }
  }
  const unknown = [...query.excluded].filter((name) => !skipped.has(name)).sort();
  if (unknown.length > 0) {
    const names = unknown.map(goQuote).join(',');
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names}\n`);
  }
  if (failed) return { code: 500, body: `${lines.join('')}${endpoint} check failed\n` };
  return { code: 200, body: query.verbose ? `${lines.join('')}${endpoint} check passed\n` : 'ok' };
}

/** Runs a single check, as for `/livez/ping`. Unlike the endpoint of all, it is not public: it tells the reason. */
export async function checkOne(check: HealthCheck): Promise<HealthResponse> {
  try {
    await check.check();
    return { code: 200, body: 'ok' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { code: 500, body: `internal server error: ${reason}\n` };
  }
}
