import type { ClusterTrustBundle } from '../../../schema/kubernetes/generated/types/certificates-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { bundleNameErrors, trustBundle, trustBundleUpdate } from './validation.ts';

export const clusterTrustBundleKind = defineKind<ClusterTrustBundle>({
  group: 'certificates.k8s.io',
  kind: 'ClusterTrustBundle',
  strategy: {
    requireResourceVersion: true,
    nameRule: bundleNameErrors,
    selectableMetadata: 'name',
    selectableFields: { 'spec.signerName': ({ spec }) => spec?.signerName ?? '' },
  },
  checks: { create: trustBundle, update: trustBundleUpdate },
  table: async () => (await import('./table.ts')).clusterTrustBundles,
});
