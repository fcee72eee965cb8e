import { resolve } from 'node:path';
import { controllerTable } from '../controllers/controller-table.ts';
import type { AuthorityFiles, SigningConfig } from '../controllers/certificates/signing-config.ts';
import type { ControllersConfig, EndpointsConfig } from '../controllers/controllers-config.ts';
import type { ServerConfig } from '../server/config.ts';
import { type BuiltFlag, flag, fileOf } from './flag.ts';
import { duration, FlagValueError, integer, string, strings } from './flag-types.ts';

/** The controllers' flags, with kube-controller-manager's names and defaults. */
export const controllerFlags: readonly BuiltFlag[] = [
  flag('cluster-signing-cert-file', {
    type: string,
    help: 'PEM file of the certificate authority for all Kubernetes signers; without one nothing is signed',
    ownType: 'string',
    set: (file, config) => signing(config, { all: { ...config.control.signing.all, certFile: resolve(file) } }),
  }),
  flag('cluster-signing-duration', {
    type: duration,
    help: 'maximum lifetime of signed certificates; requests may ask for less',
    ownType: 'duration',
    set: (ms, config) => signing(config, { durationMs: positive(ms) }),
  }),
  flag('cluster-signing-key-file', {
    type: string,
    help: 'PEM file of the key of --cluster-signing-cert-file',
    ownType: 'string',
    set: (file, config) => signing(config, { all: { ...config.control.signing.all, keyFile: resolve(file) } }),
  }),
  ...['kubelet-serving', 'kubelet-client', 'kube-apiserver-client', 'legacy-unknown'].flatMap(signerFlags),
  flag('controllers', {
    type: strings,
    help: 'controllers to run: * enables all default ones, NAME enables and -NAME disables one; controllers stop while a kube-controller-manager runs them',
    ownType: 'strings',
    values: () => controllerTable.map(({ name }) => name),
    set: (controllers) => ({ controllers }),
  }),
  flag('endpoint-updates-batch-period', {
    type: duration,
    help: 'delay between pod changes and the update of Endpoints',
    ownType: 'duration',
    set: (ms, config) => endpoints(config, { batchPeriodMs: ms }),
  }),
  flag('endpointslice-updates-batch-period', {
    type: duration,
    help: 'delay between pod changes and the update of EndpointSlices',
    ownType: 'duration',
    set: (ms, config) => endpoints(config, { sliceBatchPeriodMs: ms }),
  }),
  flag('legacy-service-account-token-clean-up-period', {
    type: duration,
    help: 'how long a generated token in a secret must be unused before it is marked invalid, and again before it is deleted',
    ownType: 'duration',
    set: (ms, config) => control(config, { legacyTokenCleanUpPeriodMs: positive(ms) }),
  }),
  flag('max-endpoints-per-slice', {
    type: integer,
    help: 'maximum number of endpoints in an EndpointSlice',
    ownType: 'int32',
    set: (mostPerSlice, config) => endpoints(config, { mostPerSlice: positive(mostPerSlice) }),
  }),
  flag('mirroring-endpointslice-updates-batch-period', {
    type: duration,
    help: 'delay between changes of Endpoints and their mirroring to EndpointSlices',
    ownType: 'duration',
    set: (ms, config) => endpoints(config, { mirrorBatchPeriodMs: ms }),
  }),
  flag('mirroring-max-endpoints-per-subset', {
    type: integer,
    help: 'maximum number of addresses per subset of Endpoints that are mirrored to EndpointSlices',
    ownType: 'int32',
    set: (most, config) => endpoints(config, { mostPerMirroredSubset: positive(most) }),
  }),
  flag('root-ca-file', {
    type: string,
    help: 'PEM file of the root certificates published to pods; default: the authority of the serving certificate',
    ownType: 'string',
    set: (file, config) => control(config, { rootCaFile: fileOf(file) }),
  }),
];

function control(config: ServerConfig, change: Partial<ControllersConfig>): Partial<ServerConfig> {
  return { control: { ...config.control, ...change } };
}

function signing(config: ServerConfig, change: Partial<SigningConfig>): Partial<ServerConfig> {
  return control(config, { signing: { ...config.control.signing, ...change } });
}

/** The CA of a single signer. */
function signerFlags(name: string): readonly BuiltFlag[] {
  const signer = `kubernetes.io/${name === 'kubelet-client' ? 'kube-apiserver-client-kubelet' : name}`;
  const set = (config: ServerConfig, files: Partial<AuthorityFiles>): Partial<ServerConfig> => {
    const { bySigner } = config.control.signing;
    return signing(config, { bySigner: new Map(bySigner).set(signer, { ...bySigner.get(signer), ...files }) });
  };
  return [
    flag(`cluster-signing-${name}-cert-file`, {
      type: string,
      help: `PEM file of the certificate authority for ${signer}`,
      ownType: 'string',
      set: (file, config) => set(config, { certFile: resolve(file) }),
    }),
    flag(`cluster-signing-${name}-key-file`, {
      type: string,
      help: `PEM file of the key of --cluster-signing-${name}-cert-file`,
      ownType: 'string',
      set: (file, config) => set(config, { keyFile: resolve(file) }),
    }),
  ];
}

function endpoints(config: ServerConfig, change: Partial<EndpointsConfig>): Partial<ServerConfig> {
  return control(config, { endpoints: { ...config.control.endpoints, ...change } });
}

function positive(value: number): number {
  if (value <= 0) throw new FlagValueError('must be more than 0');
  return value;
}
