import type { PartContext } from '../../api/contracts/part.ts';
import { hashOf } from '../../api/metrics/hash-label.ts';
import { serverLabel } from '../../api/metrics/reload-metrics.ts';
import { secondsSince } from '../../api/time/seconds-since.ts';

/** Metrics of fetched key sets. */
export function keyMetrics({ metric, clock }: Pick<PartContext, 'metric' | 'clock'>, serverId: string) {
  const own = 'apiserver_authentication_jwt_authenticator_jwks_fetch_last';
  const server = serverLabel(serverId);
  const last = metric({
    name: `${own}_timestamp_seconds`,
    help: 'Time of the last request for the keys of an issuer, by result.',
    type: 'gauge',
    overThreads: 'max',
    labelNames: ['result', 'jwt_issuer_hash', 'apiserver_id_hash'],
  });
  const info = metric({
    name: `${own}_key_set_info`,
    help: 'Hash of the current keys of an issuer.',
    type: 'gauge',
    overThreads: 'max',
    labelNames: ['jwt_issuer_hash', 'apiserver_id_hash', 'hash'],
  });
  return {
    fetched(issuer: string, keySet: string | undefined): void {
      const labels = { jwt_issuer_hash: hashOf(issuer), ...server };
      last.set(clock.now() / 1_000, { result: keySet === undefined ? 'failure' : 'success', ...labels });
      if (keySet === undefined) return;
      info.forget(labels);
      info.set(1, { ...labels, hash: hashOf(keySet) });
    },
    forget(issuer: string): void {
      last.forget({ jwt_issuer_hash: hashOf(issuer) });
      info.forget({ jwt_issuer_hash: hashOf(issuer) });
    },
  };
}

/** Latency of verifying tokens that are not cached, per issuer. */
export function latencyMetric({ metric }: Pick<PartContext, 'metric'>) {
  const latency = metric({
    name: 'apiserver_authentication_jwt_authenticator_latency_seconds',
    help: 'Duration of verifying uncached tokens in seconds, by issuer and result.',
    type: 'histogram',
    labelNames: ['result', 'jwt_issuer_hash'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  return async <T>(issuer: string, verify: Promise<T>): Promise<T> => {
    const startMs = performance.now();
    const ended = (result: 'success' | 'failure'): void =>
      latency.observe(secondsSince(startMs), { result, jwt_issuer_hash: hashOf(issuer) });
    try {
      const verified = await verify;
      ended('success');
      return verified;
    } catch (error) {
      ended('failure');
      throw error;
    }
  };
}
