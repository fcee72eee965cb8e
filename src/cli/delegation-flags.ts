import type { DelegationConfig, ServerConfig } from '../server/config.ts';
import { type BuiltFlag, flag, fileOf } from './flag.ts';
import { boolean, string, strings } from './flag-types.ts';

/** Flags of API servers behind another one, by their names in Kubernetes. */
export const delegationFlags: readonly BuiltFlag[] = [
  flag('authentication-kubeconfig', {
    type: string,
    ownType: 'string',
    help: 'kubeconfig of a Kubernetes API server in front of this one, whose users are known here',
    set: (file, config) => delegation(config, { authenticationKubeconfig: fileOf(file) }),
  }),
  flag('authentication-skip-lookup', {
    type: boolean,
    ownType: 'bool',
    help: 'do not ask that server for its authorities; --requestheader-* and --client-ca-file name them',
    set: (skipsLookup, config) => delegation(config, { skipsLookup }),
  }),
  flag('authentication-tolerate-lookup-failure', {
    type: boolean,
    ownType: 'bool',
    help: 'start even if that server cannot be asked for its authorities',
    set: (toleratesLookupFailure, config) => delegation(config, { toleratesLookupFailure }),
  }),
  flag('authorization-always-allow-paths', {
    type: strings,
    ownType: 'strings',
    help: 'paths that everybody may ask for, with --authorization-kubeconfig (default /healthz,/readyz,/livez)',
    set: (alwaysAllowPaths, config) => delegation(config, { alwaysAllowPaths }),
  }),
  flag('authorization-kubeconfig', {
    type: string,
    ownType: 'string',
    help: 'kubeconfig of a Kubernetes API server that decides what users may do; decisions are kept for ten seconds',
    set: (file, config) => delegation(config, { authorizationKubeconfig: fileOf(file) }),
  }),
];

function delegation(
  { delegation: before }: ServerConfig,
  changed: Partial<DelegationConfig>,
): Pick<ServerConfig, 'delegation'> {
  return { delegation: { ...before, ...changed } };
}
