import type { AdmissionAttributes, AdmissionPlugin } from '../../api/contracts/admission.ts';
import { soon } from '../../api/scheduling/soon.ts';
import type { Binding, Pod } from '../../schema/kubernetes/generated/types/core-v1.ts';
import type { PluginContext } from '../plugin-context.ts';

const nodes = { group: '', version: 'v1', plural: 'nodes' };
const topologyLabels = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

/** Copies the zone and region labels of the node to pods that are bound to it or created for it. */
export function podTopologyLabels({
  stored,
  featureGates,
}: Pick<PluginContext, 'stored' | 'featureGates'>): AdmissionPlugin {
  const enabled = featureGates.get('PodTopologyLabelsAdmission') === true;
  return {
    name: 'PodTopologyLabels',
    operations: new Set(['CREATE']),
    mutate(attributes) {
      const nodeName = enabled ? nodeOf(attributes) : '';
      if (nodeName === '' || attributes.object === undefined) return;
      const { metadata } = attributes.object;
      return soon(stored.get(nodes, { namespace: '', name: nodeName }), (node) => {
        for (const label of topologyLabels) {
          const value = node?.metadata.labels?.[label];
          if (value !== undefined) metadata.labels = { ...metadata.labels, [label]: value };
        }
      });
    },
  };
}

/** Node that a pod or a binding names; empty when none. Objects are decoded by the schema of their resource. */
function nodeOf({ group, resource, subresource, object }: AdmissionAttributes): string {
  if (group !== '' || resource !== 'pods') return '';
  if (subresource === '') return (object as Pod).spec?.nodeName ?? '';
  const { target = {} } = subresource === 'binding' ? (object as Binding) : {};
  return target.kind === 'Node' ? (target.name ?? '') : '';
}
