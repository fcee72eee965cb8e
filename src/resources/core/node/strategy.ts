import type { Node, NodeSpec } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { StrategyOf } from '../../define-kind.ts';

export const nodeStrategy: StrategyOf<Node> = {
  keepsStatusOnCreate: true,
  prepareForCreate(node) {
    linkPodRanges(node.spec ?? {});
    dropConfigSource(node);
    delete node.status?.config;
  },
  prepareForUpdate(node, old) {
    linkPodRanges(node.spec ?? {});
    dropConfigSource(node, old);
  },
  selectableMetadata: 'name',
  selectableFields: { 'spec.unschedulable': ({ spec }) => String(spec?.unschedulable ?? false) },
};

/** A node has its ranges twice: clients know one or several. Where they differ the one counts. */
function linkPodRanges(spec: NodeSpec): void {
  const { podCIDR = '', podCIDRs = [] } = spec;
  if (podCIDR !== '' && podCIDR !== podCIDRs[0]) spec.podCIDRs = [podCIDR];
  else if (podCIDRs[0] !== undefined) spec.podCIDR = podCIDRs[0];
}

/** Kubelets are no longer configured through their nodes; what stands there may stay. */
function dropConfigSource({ spec }: Node, old?: Readonly<Node>): void {
  if (old?.spec?.configSource === undefined) delete spec?.configSource;
}
