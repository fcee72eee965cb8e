import type { Node, NodeStatus } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { always } from '../../kind-warnings.ts';
import { roundsUp } from '../../parts/amounts/resource-list.ts';
import { inTurn, typed } from '../../parts/defaults/fill.ts';
import { nodeStrategy } from './strategy.ts';
import { node, nodeUpdate } from './validation.ts';
import { nodeWarnings } from './warnings.ts';

export const nodeKind = defineKind<Node>({
  group: '',
  kind: 'Node',
  strategy: nodeStrategy,
  checks: { create: node, update: nodeUpdate, subresources: { status: nodeUpdate } },
  warnings: always(nodeWarnings),
  defaults: {
    'io.k8s.api.core.v1.NodeStatus': inTurn(
      typed<NodeStatus>((status) => {
        if (status.capacity !== undefined) status.allocatable ??= { ...status.capacity };
      }),
      roundsUp('allocatable', 'capacity'),
    ),
  },
  table: async () => (await import('./table.ts')).nodes,
});
