import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '../../api/time/clock.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import { secondsSince } from '../../api/time/seconds-since.ts';

function hashOf(text: string): string {
  return text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** The server's id as in its lease: derived from the host name (RFC 4648, section 6, in lower case). */
function serverId(): string {
  const bytes = createHash('sha256').update(hostname()).digest().subarray(0, 16);
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = bits.match(/.{1,5}/g) ?? [];
  return `apiserver-${letters.map((five) => base32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')}`;
}

/** Metrics of a reloaded configuration. */
export function configurationMetrics({ metric, clock }: Pick<PartContext, 'metric' | 'clock'>) {
  const own = 'apiserver_authentication_config_controller';
  const server = { apiserver_id_hash: hashOf(serverId()) };
  const reloads = metric({
    name: `${own}_automatic_reloads_total`,
    help: 'Reloads of the authentication configuration, by result.',
    type: 'counter',
    labelNames: ['status', 'apiserver_id_hash'],
  });
  const last = metric({
    name: `${own}_automatic_reload_last_timestamp_seconds`,
    help: 'Time of the last reload of the authentication configuration, by result.',
    type: 'gauge',
    overThreads: 'max',
    labelNames: ['status', 'apiserver_id_hash'],
  });
  const info = metric({
    name: `${own}_last_config_info`,
    help: 'Hash of the current authentication configuration.',
    type: 'gauge',
    overThreads: 'first',
    labelNames: ['apiserver_id_hash', 'hash'],
  });
  const inUse = (text: string): void => {
    info.forget({});
    info.set(1, { ...server, hash: hashOf(text) });
  };
  const ended = (status: 'success' | 'failure'): void => {
    reloads.add({ status, ...server });
    last.set(seconds(clock), { status, ...server });
  };
  return { inUse, ended };
}

/** Metrics of fetched key sets. */
export function keyMetrics({ metric, clock }: Pick<PartContext, 'metric' | 'clock'>) {
  const own = 'apiserver_authentication_jwt_authenticator_jwks_fetch_last';
  const server = { apiserver_id_hash: hashOf(serverId()) };
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
    asked(issuer: string, keySet: string | undefined): void {
      const labels = { jwt_issuer_hash: hashOf(issuer), ...server };
      last.set(seconds(clock), { result: keySet === undefined ? 'failure' : 'success', ...labels });
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

function seconds(clock: Clock): number {
  return clock.now() / 1_000;
}
