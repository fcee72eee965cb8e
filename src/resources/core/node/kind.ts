import type { Node, NodeStatus } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { always } from '../../kind-warnings.ts';
import { cidrWarnings } from '../../parts/addresses/ip-texts.ts';
import { roundsUp } from '../../parts/amounts/resource-list.ts';
import { inTurn, typed } from '../../parts/defaults/fill.ts';
import { isSet } from '../../parts/rules/set-fields.ts';
import { perItem, type Warnings } from '../../parts/warnings/per-item.ts';
import { nodeStrategy } from './strategy.ts';
import { declaredOfNode, node, nodeUpdate } from './validation.ts';

export const nodeKind = defineKind<Node>({
  group: '',
  kind: 'Node',
  strategy: nodeStrategy,
  checks: {
    create: function* (object) {
      yield* node(object);
      yield* declaredOfNode(object);
    },
    update: function* (object, old) {
      yield* nodeUpdate(object, old);
      yield* declaredOfNode(object, old);
    },
    subresources: { status: nodeUpdate },
  },
  warnings: always(nodeWarnings),
  defaults: {
    'io.k8s.api.core.v1.NodeStatus': inTurn(
      typed<NodeStatus>((status) => {
        if (status.capacity !== undefined && !isSet(status, 'allocatable')) status.allocatable = { ...status.capacity };
      }),
      roundsUp('allocatable', 'capacity'),
    ),
  },
  table: async () => (await import('./table.ts')).nodes,
});

function* nodeWarnings({ spec = {} }: Node): Warnings {
  if (spec.configSource !== undefined) yield 'spec.configSource: the feature is removed';
  if ((spec.externalID ?? '') !== '') yield 'spec.externalID: this field is deprecated, and is unused by Kubernetes';
  yield* perItem(spec.podCIDRs, (range, index) => cidrWarnings(`spec.podCIDRs[${index}]`, range));
}
