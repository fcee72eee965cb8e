import { parentPort, workerData } from 'node:worker_threads';
import { allSerializers } from '../random-objects/serializers.ts';
import { fuzz } from './fuzz.ts';

export interface FuzzJob {
  readonly mediaType: string;
  readonly seed: number;
  readonly count: number;
  readonly from: number;
  /** The number of the current body. */
  readonly progress: Int32Array;
}

export interface FuzzReport {
  readonly taken: number;
  readonly refused: number;
  readonly failures: readonly string[];
}

const mostFailures = 50;
// Most bodies are refused with an error, whose stack is the most expensive part.
Error.stackTraceLimit = 0;

const { mediaType, seed, count, from, progress } = workerData as FuzzJob; // passed by main.ts
const serializer = allSerializers.find((each) => each.mediaType === mediaType);
if (serializer === undefined) throw new Error(`there is no ${mediaType}`);
const failures: string[] = [];
const outcomes = fuzz({
  serializer,
  seed,
  count,
  from,
  onBody: (index) => Atomics.store(progress, 0, index),
  onFailure(failure) {
    if (failures.push(failure.message) >= mostFailures) throw failure;
  },
});
const report: FuzzReport = { ...outcomes, failures };
parentPort?.postMessage(report);
