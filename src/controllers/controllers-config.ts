import { type SigningConfig, signingDefaults } from './certificates/signing-config.ts';

/** Options of the controllers, each named after its kube-controller-manager flag. */
export interface ControllersConfig {
  /** PEM file of the CA that pods get for the server; undefined: the one that issued the server's certificate. */
  readonly rootCaFile: string | undefined;
  /** Generated tokens in secrets are marked when unused for this long, and deleted after the same time again. */
  readonly legacyTokenCleanUpPeriodMs: number;
  readonly signing: SigningConfig;
  readonly endpoints: EndpointsConfig;
  /** The times of the Lease of the server that elects holders of other Leases among their candidates. */
  readonly election: LeaseTimes;
}

/** How a Lease is held. */
export interface LeaseTimes {
  /** Others may take it this long after it was last renewed. */
  readonly durationMs: number;
  /** Holders that fail to renew for this long step down, well before others take over. */
  readonly stepDownMs: number;
  readonly renewEveryMs: number;
  /** After a failure. */
  readonly retryMs: number;
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
  election: { durationMs: 15_000, stepDownMs: 10_000, renewEveryMs: 2_000, retryMs: 2_000 },
};

export interface EndpointsConfig {
  readonly mostPerSlice: number;
  /** Delay between the change of a pod and the writing of slices and Endpoints. */
  readonly sliceBatchPeriodMs: number;
  readonly batchPeriodMs: number;
  /** Maximum number of mirrored addresses per subset of Endpoints. */
  readonly mostPerMirroredSubset: number;
  readonly mirrorBatchPeriodMs: number;
}
