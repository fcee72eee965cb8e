import type { ServerConfig } from '../server/config.ts';
import { UsageError } from './errors.ts';
import { type BuiltFlag, flag, fileOf } from './flag.ts';
import { string } from './flag-types.ts';

/** Flags of requests between servers of one store, which may serve different APIs. */
export const peerFlags: readonly BuiltFlag[] = [
  flag('peer-advertise-ip', {
    type: string,
    help: 'address at which other servers of the store reach this one (default: --advertise-address)',
    set: (advertiseIp, { peers }) => ({ peers: { ...peers, advertiseIp } }),
  }),
  flag('peer-advertise-port', {
    type: string,
    help: 'port at which other servers of the store reach this one (default: --secure-port)',
    set: (advertisePort, { peers }) => ({ peers: { ...peers, advertisePort } }),
  }),
  flag('peer-ca-file', {
    type: string,
    help: 'PEM file of the certificate authorities of other servers of the store; without it their certificates are not verified',
    set: (file, { peers }) => ({ peers: { ...peers, caFile: fileOf(file) } }),
  }),
];

/** Throws a UsageError if they are given without the feature. */
export function checkPeers({ caFile, advertiseIp, advertisePort }: ServerConfig['peers'], isOn: () => boolean): void {
  const given = [
    caFile === undefined ? undefined : '--peer-ca-file',
    advertiseIp === '' ? undefined : '--peer-advertise-ip',
    advertisePort === '' ? undefined : '--peer-advertise-port',
  ].filter((name) => name !== undefined);
  if (given.length === 0 || isOn()) return;
  const problems = given.map((name) => `${name} requires UnknownVersionInteroperabilityProxy feature to be turned on`);
  throw new UsageError(problems.length === 1 ? problems.join('') : `[${problems.join(', ')}]`);
}
