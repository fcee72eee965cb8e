import { resolve } from 'node:path';
import type { ControllersConfig } from '../controllers/controllers-config.ts';
import type { ServerConfig } from '../server/config.ts';
import { type BuiltFlag, flag } from './flag.ts';
import { duration, FlagValueError, string } from './flag-types.ts';

/** The flags of controllers, by the names and defaults of kube-controller-manager. */
export const controllerFlags: readonly BuiltFlag[] = [
  flag('legacy-service-account-token-clean-up-period', {
    type: duration,
    help: 'how long a generated token of a secret must be unused to be marked as invalid, and then to be deleted',
    ownType: 'duration',
    set: (ms, config) => control(config, { legacyTokenCleanUpPeriodMs: positive(ms) }),
  }),
  flag('root-ca-file', {
    type: string,
    help: 'PEM file of the authority that pods are given for this server; that of its certificate unless given',
    ownType: 'string',
    set: (file, config) => control(config, { rootCaFile: file === '' ? undefined : resolve(file) }),
  }),
];

function control(config: ServerConfig, change: Partial<ControllersConfig>): Partial<ServerConfig> {
  return { control: { ...config.control, ...change } };
}

function positive(ms: number): number {
  if (ms <= 0) throw new FlagValueError('must be more than 0');
  return ms;
}
