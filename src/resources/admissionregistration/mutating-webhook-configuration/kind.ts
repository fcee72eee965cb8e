import type { MutatingWebhookConfiguration } from '../../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { webhookDefaults } from '../defaults.ts';
import { webhookConfigurationWarnings } from '../warnings.ts';
import { webhookConfigurationChecks, webhookStrategy } from '../webhooks.ts';
import { webhooksFromBeta1 } from '../older-webhooks.ts';

export const mutatingWebhookConfigurationKind = defineKind<MutatingWebhookConfiguration>({
  group: 'admissionregistration.k8s.io',
  kind: 'MutatingWebhookConfiguration',
  strategy: webhookStrategy,
  checks: webhookConfigurationChecks,
  warnings: webhookConfigurationWarnings,
  defaults: webhookDefaults,
  table: async () => (await import('../webhook-table.ts')).webhookConfigurations,
  olderVersions: {
    'admissionregistration.k8s.io/v1beta1': webhooksFromBeta1,
  },
});
