import type { CSINode } from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { csiNodeStatus } from './status-validation.ts';
import { csiNode, csiNodeUpdate } from './validation.ts';

export const csiNodeKind = defineKind<CSINode>({
  group: 'storage.k8s.io',
  kind: 'CSINode',
  strategy: { requireResourceVersion: true, statusKeepsMetadata: true },
  checks: { both: csiNode, update: csiNodeUpdate, subresources: { status: csiNodeStatus } },
  responses: { returnsDeletedObject: true },
  table: async () => (await import('./table.ts')).csiNodes,
});
