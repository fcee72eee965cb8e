import type { StorageVersion } from '../../../schema/kubernetes/generated/types/apiserverinternal-v1alpha1.ts';
import { defineKind } from '../../define-kind.ts';
import { finalizerErrors } from '../../kind-checks.ts';
import { storageVersionNameErrors, storageVersionStatus } from './validation.ts';

export const storageVersionKind = defineKind<StorageVersion>({
  group: 'internal.apiserver.k8s.io',
  kind: 'StorageVersion',
  strategy: { requireResourceVersion: true, statusKeepsMetadata: true, nameRule: storageVersionNameErrors },
  checks: {
    // Updates are not validated.
    create: function* (version) {
      yield* finalizerErrors(version.metadata?.finalizers);
      yield* storageVersionStatus(version);
    },
    subresources: { status: storageVersionStatus },
    anyFinalizer: true,
  },
  table: async () => (await import('./table.ts')).storageVersions,
});
