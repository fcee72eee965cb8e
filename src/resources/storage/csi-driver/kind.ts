import type { CSIDriver } from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { fixed } from '../../parts/defaults/fill.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { csiDriver, csiDriverUpdate } from './validation.ts';
import { csiDriverWarnings } from './warnings.ts';

export const csiDriverKind = defineKind<CSIDriver>({
  group: 'storage.k8s.io',
  kind: 'CSIDriver',
  strategy: {
    requireResourceVersion: true,
    // New drivers have none, as in the reference.
    prepareForUpdate({ metadata, spec }, old) {
      if (!sameValue(spec, old.spec)) metadata.generation = Number(old.metadata.generation ?? 0) + 1;
    },
  },
  checks: { both: csiDriver, update: csiDriverUpdate },
  warnings: { create: (driver) => csiDriverWarnings(driver), update: csiDriverWarnings },
  responses: { returnsDeletedObject: true },
  defaults: {
    'io.k8s.api.storage.v1.CSIDriverSpec': fixed({
      attachRequired: true,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      podInfoOnMount: false,
      requiresRepublish: false,
      seLinuxMount: false,
      storageCapacity: false,
      volumeLifecycleModes: ['Persistent'],
    }),
  },
  gatedDefaults: {
    VolumeLimitScaling: { 'io.k8s.api.storage.v1.CSIDriverSpec': fixed({ preventPodSchedulingIfMissing: false }) },
  },
  table: async () => (await import('./table.ts')).csiDrivers,
});
