import type { VolumeAttachment } from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { persistentVolumeSpecDefaults } from '../../core/persistent-volume/defaults.ts';
import { defineKind } from '../../define-kind.ts';
import { volumeAttachment, volumeAttachmentUpdate } from './validation.ts';

export const volumeAttachmentKind = defineKind<VolumeAttachment>({
  group: 'storage.k8s.io',
  kind: 'VolumeAttachment',
  strategy: { requireResourceVersion: true, statusKeepsMetadata: true },
  checks: { create: volumeAttachment, update: volumeAttachmentUpdate },
  responses: { returnsDeletedObject: true },
  defaults: persistentVolumeSpecDefaults,
  table: async () => (await import('./table.ts')).volumeAttachments,
});
