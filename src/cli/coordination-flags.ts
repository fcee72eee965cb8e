import type { ControllersConfig, LeaseTimes } from '../controllers/controllers-config.ts';
import type { ServerConfig } from '../server/config.ts';
import { UsageError } from './errors.ts';
import { type BuiltFlag, flag } from './flag.ts';
import { duration } from './flag-types.ts';

/** Flags of the controller that elects holders of Leases among their candidates. */
export const coordinationFlags: readonly BuiltFlag[] = [
  flag('coordinated-leadership-lease-duration', {
    type: duration,
    help: 'with the gate CoordinatedLeaderElection: how long the Lease of the server that elects leaders lasts',
    set: (durationMs, config) => election(config, { durationMs }),
  }),
  flag('coordinated-leadership-renew-deadline', {
    type: duration,
    help: 'how long this server may fail to renew that Lease before it stops electing leaders',
    set: (stepDownMs, config) => election(config, { stepDownMs }),
  }),
  flag('coordinated-leadership-retry-period', {
    type: duration,
    help: 'interval at which that Lease is renewed',
    set: (retryMs, config) => election(config, { renewEveryMs: retryMs, retryMs }),
  }),
];

/** Checks combinations. Throws a UsageError. */
export function checkCoordination({ election }: ControllersConfig): void {
  const name = (part: string): string => `--coordinated-leadership-${part}`;
  if (election.durationMs <= election.stepDownMs) {
    throw new UsageError(`${name('lease-duration')} must be greater than ${name('renew-deadline')}`);
  }
  if (election.stepDownMs <= election.renewEveryMs) {
    throw new UsageError(`${name('renew-deadline')} must be greater than ${name('retry-period')}`);
  }
}

function election(config: ServerConfig, change: Partial<LeaseTimes>): Partial<ServerConfig> {
  return { control: { ...config.control, election: { ...config.control.election, ...change } } };
}
