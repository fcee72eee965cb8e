import { resolve } from 'node:path';
import type { AuthorityFiles, SigningConfig } from '../controllers/certificates/signing-config.ts';
import type { ControllersConfig, EndpointsConfig } from '../controllers/controllers-config.ts';
import type { ServerConfig } from '../server/config.ts';
import { type BuiltFlag, flag } from './flag.ts';
import { duration, FlagValueError, integer, string, strings } from './flag-types.ts';

/** The controllers' flags, with kube-controller-manager's names and defaults. */
export const controllerFlags: readonly BuiltFlag[] = [
  flag('cluster-signing-cert-file', {
    type: string,
    help: 'PEM file of the authority that signs for all signers of Kubernetes; none signs unless there is one',
    ownType: 'string',
    set: (file, config) => signing(config, { all: { ...config.control.signing.all, certFile: resolve(file) } }),
  }),
  flag('cluster-signing-duration', {
    type: duration,
    help: 'how long certificates last that are signed; requests may ask for less',
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
    help: 'controllers to run: * means all that are on by default, NAME that one, -NAME not that one; those that a kube-controller-manager runs stand back while there is one',
    ownType: 'strings',
    set: (controllers) => ({ controllers }),
  }),
  flag('endpoint-updates-batch-period', {
    type: duration,
    help: 'how long after the change of a pod Endpoints are written',
    ownType: 'duration',
    set: (ms, config) => endpoints(config, { batchPeriodMs: ms }),
  }),
  flag('endpointslice-updates-batch-period', {
    type: duration,
    help: 'how long after the change of a pod EndpointSlices are written',
    ownType: 'duration',
    set: (ms, config) => endpoints(config, { sliceBatchPeriodMs: ms }),
  }),
  flag('legacy-service-account-token-clean-up-period', {
    type: duration,
    help: 'how long a generated token of a secret must be unused to be marked as invalid, and then to be deleted',
    ownType: 'duration',
    set: (ms, config) => control(config, { legacyTokenCleanUpPeriodMs: positive(ms) }),
  }),
  flag('max-endpoints-per-slice', {
    type: integer,
    help: 'how many endpoints an EndpointSlice holds at most',
    ownType: 'int32',
    set: (mostPerSlice, config) => endpoints(config, { mostPerSlice: positive(mostPerSlice) }),
  }),
  flag('mirroring-endpointslice-updates-batch-period', {
    type: duration,
    help: 'how long after the change of Endpoints they are mirrored to EndpointSlices',
    ownType: 'duration',
    set: (ms, config) => endpoints(config, { mirrorBatchPeriodMs: ms }),
  }),
  flag('mirroring-max-endpoints-per-subset', {
    type: integer,
    help: 'how many addresses of one subset of Endpoints are mirrored to EndpointSlices at most',
    ownType: 'int32',
    set: (most, config) => endpoints(config, { mostPerMirroredSubset: positive(most) }),
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
      help: `PEM file of the authority that signs for ${signer}`,
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
