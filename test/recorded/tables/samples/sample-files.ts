import type { Sample } from '../sample.ts';
import { accessSamples } from './access.ts';
import { autoscalingSamples } from './autoscaling.ts';
import { coreSamples } from './core.ts';
import { extensionSamples } from './extension.ts';
import { podSamples } from './pods.ts';
import { policySamples } from './policies.ts';
import { schedulingSamples } from './scheduling.ts';
import { serviceSamples } from './services.ts';
import { storageSamples } from './storage.ts';
import { workloadSamples } from './workloads.ts';

/** Samples by test data file. */
export const sampleFiles: ReadonlyMap<string, readonly Sample[]> = new Map([
  ['pods', podSamples],
  ['core', coreSamples],
  ['services', serviceSamples],
  ['workloads', workloadSamples],
  ['autoscaling', autoscalingSamples],
  ['storage', storageSamples],
  ['access', accessSamples],
  ['policies', policySamples],
  ['extension', extensionSamples],
  ['scheduling', schedulingSamples],
]);
