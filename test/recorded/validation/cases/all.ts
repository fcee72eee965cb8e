import type { KindCases } from '../case.ts';
import { policyKindCases } from './admission-policies.ts';
import { apiServiceCases } from './api-services.ts';
import { certificateCases, migrationCases, signingRequestCases } from './certificates.ts';
import { configurationCases, policyCases, serviceCases, volumeCases } from './core.ts';
import { accessCases, networkCases, scalingCases, smallCases, storageCases } from './groups.ts';
import { declaredCases } from './declared-kinds.ts';
import { definitionRuleCases } from './definition-rules.ts';
import { definitionCases } from './definitions.ts';
import {
  deviceExpressionCases,
  deviceListCases,
  devicePlainCases,
  deviceVersionCases,
  plantedDeviceCases,
} from './device-expressions.ts';
import { deviceCases } from './devices.ts';
import { flowControlCases } from './flow-control.ts';
import { gatedCases } from './gated-kinds.ts';
import { metadataCases } from './metadata.ts';
import { plantedDefinitionCases } from './planted-definitions.ts';
import { podStatusCases, podSubresourceCases } from './pod-statuses.ts';
import { podCases } from './pods.ts';
import { statusCases } from './statuses.ts';
import { sweptCases } from './swept-kinds.ts';
import { webhookCases } from './webhooks.ts';
import { writtenValueCases } from './written-values.ts';
import { jobCases, workloadCases } from './workloads.ts';

const general: readonly KindCases[] = [
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

/** Cases by testdata file. */
export const caseSets: { readonly [set: string]: readonly KindCases[] } = {
  recorded: general,
  'flow-control': flowControlCases,
  webhooks: webhookCases,
  'admission-policies': policyKindCases,
  'api-services': apiServiceCases,
  definitions: definitionCases,
  'definition-rules': definitionRuleCases,
  'planted-definitions': plantedDefinitionCases,
  'signing-requests': signingRequestCases,
  certificates: certificateCases,
  'storage-migrations': migrationCases,
  metadata: metadataCases,
  devices: deviceCases,
  'device-expressions': deviceExpressionCases,
  'device-expressions-versions': deviceVersionCases,
  'device-expressions-lists': deviceListCases,
  'device-expressions-plain': devicePlainCases,
  'planted-devices': plantedDeviceCases,
  statuses: statusCases,
  'gated-kinds': gatedCases,
  'pod-statuses': podStatusCases,
  'pod-subresources': podSubresourceCases,
  'written-values': writtenValueCases,
  'declared-kinds': declaredCases,
  'swept-kinds': sweptCases,
};
