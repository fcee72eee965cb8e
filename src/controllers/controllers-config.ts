import { type SigningConfig, signingDefaults } from './certificates/signing-config.ts';

/** What controllers are told, each by the flag of kube-controller-manager that has its name. */
export interface ControllersConfig {
  /** PEM file of the authority that pods are given for the server; undefined: the one that the server's certificate is of. */
  readonly rootCaFile: string | undefined;
  /** Generated tokens of secrets that nobody has used for so long are marked, and after as long again deleted. */
  readonly legacyTokenCleanUpPeriodMs: number;
  readonly signing: SigningConfig;
  readonly endpoints: EndpointsConfig;
}

export const controllersDefaults: ControllersConfig = {
  rootCaFile: undefined,
  legacyTokenCleanUpPeriodMs: 365 * 86_400_000,
  signing: signingDefaults,
  endpoints: {
    mostPerSlice: 100,
    sliceBatchPeriodMs: 0,
    batchPeriodMs: 0,
    mostPerMirroredSubset: 1000,
    mirrorBatchPeriodMs: 0,
  },
};

export interface EndpointsConfig {
  readonly mostPerSlice: number;
  /** So long after the change of a pod slices, and Endpoints, are written. */
  readonly sliceBatchPeriodMs: number;
  readonly batchPeriodMs: number;
  /** Of one subset of Endpoints so many addresses are mirrored. */
  readonly mostPerMirroredSubset: number;
  readonly mirrorBatchPeriodMs: number;
}
