import type { ServerConfig } from '../server/config.ts';
import { UsageError } from './errors.ts';
import { type BuiltFlag, flag } from './flag.ts';
import { boolean, duration, integer, number } from './flag-types.ts';

/** Flags of how long the server takes to start, to answer and to stop. */
export const lifecycleFlags: readonly BuiltFlag[] = [
  flag('goaway-chance', {
    type: number,
    help: 'share of requests after which an HTTP/2 connection is ended, so that clients of several servers change between them: up to 0.02',
    set: (goawayChance, { serving }) => {
      if (goawayChance >= 0 && goawayChance <= 0.02) return { serving: { ...serving, goawayChance } };
      throw new UsageError('--goaway-chance can not be less than 0 or greater than 0.02');
    },
  }),
  flag('livez-grace-period', {
    type: duration,
    help: 'how long /livez may succeed before the server has finished starting',
    set: (ms, config) =>
      shutdown(config, { livezGracePeriodMs: notNegative(ms, '--livez-grace-period can not be a negative value') }),
  }),
  flag('min-request-timeout', {
    type: integer,
    help: 'minimum duration of watches without a timeout, in seconds',
    set: (seconds, config) => {
      const checked = notNegative(seconds, '--min-request-timeout can not be negative value');
      return requests(config, { minWatchTimeoutMs: checked * 1_000 });
    },
  }),
  flag('request-timeout', {
    type: duration,
    help: 'timeout of requests that are not long-running',
    set: (ms, config) =>
      requests(config, { timeoutMs: notNegative(ms, '--request-timeout can not be negative value') }),
  }),
  flag('shutdown-delay-duration', {
    type: duration,
    help: 'how long to keep serving requests after a signal, while /readyz fails',
    set: (ms, config) =>
      shutdown(config, { delayMs: notNegative(ms, '--shutdown-delay-duration can not be negative value') }),
  }),
  flag('shutdown-send-retry-after', {
    type: boolean,
    help: 'keep listening until running requests have ended, and answer others with 429 and Retry-After meanwhile',
    set: (sendsRetryAfter, config) => shutdown(config, { sendsRetryAfter }),
  }),
  flag('shutdown-watch-termination-grace-period', {
    type: duration,
    help: 'how long to wait for watches, which are ended evenly in this time; 0: they are cut off with the listener (default: they are ended at once)',
    ownDefault: true,
    set: (ms, config) => shutdown(config, { watchGraceMs: notNegative(ms, negativeGrace) }),
  }),
  flag('storage-initialization-timeout', {
    type: duration,
    help: 'how long readiness waits for the store at most',
    set: (ms, { storage }) => {
      const initializationTimeoutMs = notNegative(ms, '--storage-initialization-timeout can not be negative value');
      return { storage: { ...storage, initializationTimeoutMs } };
    },
  }),
];

const negativeGrace = 'shutdown-watch-termination-grace-period, if provided, can not be a negative value';

function shutdown(
  { shutdown: before }: ServerConfig,
  changes: Partial<ServerConfig['shutdown']>,
): Partial<ServerConfig> {
  return { shutdown: { ...before, ...changes } };
}

function requests(
  { requests: before }: ServerConfig,
  changes: Partial<ServerConfig['requests']>,
): Partial<ServerConfig> {
  return { requests: { ...before, ...changes } };
}

function notNegative(value: number, problem: string): number {
  if (value < 0) throw new UsageError(problem);
  return value;
}
