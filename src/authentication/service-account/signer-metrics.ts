import type { PartContext } from '../../api/contracts/part.ts';

const prefix = 'apiserver_externaljwt';
const buckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Metrics of external token signers. */
export function signerMetrics(metric: PartContext['metric']) {
  const byCode = { labelNames: ['code'] };
  return {
    fetchedAt: metric({
      name: `${prefix}_fetch_keys_success_timestamp`,
      type: 'gauge',
      overThreads: 'max',
      labelNames: [],
      help: 'Time of the last successful request for keys in Unix seconds.',
    }),
    keysOf: metric({
      name: `${prefix}_fetch_keys_data_timestamp`,
      type: 'gauge',
      overThreads: 'max',
      labelNames: [],
      help: 'Time of which the known keys are, as the signer says, in Unix seconds.',
    }),
    fetches: metric({
      name: `${prefix}_fetch_keys_request_total`,
      type: 'counter',
      ...byCode,
      help: 'Requests for keys.',
    }),
    signatures: metric({
      name: `${prefix}_sign_request_total`,
      type: 'counter',
      ...byCode,
      help: 'Tokens that were to be signed.',
    }),
    calls: metric({
      name: `${prefix}_request_duration_seconds`,
      type: 'histogram',
      buckets,
      labelNames: ['method', ...byCode.labelNames],
      help: 'Duration of calls to the signer in seconds.',
    }),
  };
}

export type SignerMetrics = ReturnType<typeof signerMetrics>;
