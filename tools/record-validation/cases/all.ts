import type { KindCases } from '../case.ts';
import { configurationCases, policyCases, serviceCases, volumeCases } from './core.ts';
import { accessCases, networkCases, scalingCases, smallCases, storageCases } from './groups.ts';
import { podCases } from './pods.ts';
import { jobCases, workloadCases } from './workloads.ts';

export const allCases: readonly KindCases[] = [
  podCases,
  workloadCases,
  jobCases,
  serviceCases,
  volumeCases,
  configurationCases,
  policyCases,
  networkCases,
  accessCases,
  scalingCases,
  storageCases,
  smallCases,
].flat();
