import type { VolumeAttributesClass } from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { attributesClass, attributesClassUpdate } from './validation.ts';

export const volumeAttributesClassKind = defineKind<VolumeAttributesClass>({
  group: 'storage.k8s.io',
  kind: 'VolumeAttributesClass',
  checks: { create: attributesClass, update: attributesClassUpdate },
  responses: { returnsDeletedObject: true },
  table: async () => (await import('./table.ts')).volumeAttributesClasses,
});
