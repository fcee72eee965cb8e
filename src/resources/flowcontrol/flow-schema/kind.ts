import type { FlowSchema } from '../../../schema/kubernetes/generated/types/flowcontrol-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { fixed } from '../../parts/defaults/fill.ts';
import { conditions } from '../status-conditions.ts';
import { flowSchema } from './validation.ts';

export const flowSchemaKind = defineKind<FlowSchema>({
  group: 'flowcontrol.apiserver.k8s.io',
  kind: 'FlowSchema',
  strategy: { generation: 'spec', statusKeepsMetadata: true },
  checks: { both: flowSchema, subresources: { status: conditions } },
  defaults: { 'io.k8s.api.flowcontrol.v1.FlowSchemaSpec': fixed({ matchingPrecedence: 1000 }) },
  table: async () => (await import('./table.ts')).flowSchemas,
});
