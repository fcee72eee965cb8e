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
  subresources: {
    status: {
      prepareForUpdate(node, old) {
        if (old.status?.config === undefined) delete node.status?.config;
      },
    },
  },
  selectableMetadata: 'name',
  selectableFields: { 'spec.unschedulable': ({ spec }) => String(spec?.unschedulable ?? false) },
};

/** The pod CIDRs are in two fields, for older and newer clients. If they differ, the singular wins. */
function linkPodRanges(spec: NodeSpec): void {
  const { podCIDR = '', podCIDRs = [] } = spec;
  if (podCIDR !== '' && podCIDR !== podCIDRs[0]) spec.podCIDRs = [podCIDR];
  else if (podCIDRs[0] !== undefined) spec.podCIDR = podCIDRs[0];
}

/** Dynamic kubelet configuration was removed; existing values may stay. */
function dropConfigSource({ spec }: Node, old?: Readonly<Node>): void {
  if (old?.spec?.configSource === undefined) delete spec?.configSource;
}
