import type { AdmissionAttributes, AdmissionPlugin } from '../../../api/contracts/admission.ts';
import { goQuote } from '../../../api/go/go-quote.ts';
import type { StoredObjects } from '../../../api/contracts/stored-objects.ts';
import type { NodeSelector, Pod } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type {
  Device,
  ResourceSlice,
  ResourceSliceSpec,
} from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import { selectsNode, type StoredNode } from './node-selection.ts';
import { featuresNeeded } from './pod-updates.ts';
import type { PluginContext } from '../../plugin-context.ts';
import { refusal } from '../../refusal.ts';

const nodes = { group: '', version: 'v1', plural: 'nodes' };
const allocatableResources = 'DRANodeAllocatableResources';

/** Refuses what needs features of nodes that they have not declared (KEP-5328): updates of pods, and devices. */
export function nodeDeclaredFeatureValidator({
  stored,
  featureGates,
}: Pick<PluginContext, 'stored' | 'featureGates'>): AdmissionPlugin {
  const isOpen = featureGates.get('NodeDeclaredFeatures') === true;
  const validatesSlices = isOpen && featureGates.get('DRANodeAllocatableResources') === true;
  return {
    name: 'NodeDeclaredFeatureValidator',
    operations: new Set(['CREATE', 'UPDATE']),
    validate(attributes) {
      const { group, resource, subresource, operation } = attributes;
      if (isOpen && group === '' && resource === 'pods') {
        if (operation === 'UPDATE' && ['', 'resize'].includes(subresource)) return validatePod(attributes, stored);
      } else if (validatesSlices && group === 'resource.k8s.io' && resource === 'resourceslices') {
        return validateSlice(attributes, stored);
      }
    },
  };
}

/** Objects are decoded by the schema of their resource. */
async function validatePod(attributes: AdmissionAttributes, stored: StoredObjects): Promise<void> {
  const { spec = {} } = attributes.object as Pod;
  const { spec: before = {} } = attributes.oldObject as Pod;
  const { nodeName = '' } = spec;
  if (nodeName === '') return;
  const needed = featuresNeeded(before, spec);
  if (needed.length === 0) return;
  const node = await nodeOf(stored, nodeName);
  if (node === undefined) throw refusal(attributes, `node ${goQuote(nodeName)} not found`);
  const missing = needed.filter((feature) => !declares(node, feature));
  if (missing.length === 0) return;
  const what = `pod update requires features ${missing.join(', ')}`;
  throw refusal(attributes, `${what} which are not available on node ${goQuote(nodeName)}`);
}

/** Nodes give the resources of their devices only if they say so. */
async function validateSlice(attributes: AdmissionAttributes, stored: StoredObjects): Promise<void> {
  const { spec } = attributes.object as ResourceSlice; // decoded by its schema
  for (const device of spec?.devices ?? []) {
    if (Object.keys(device.nodeAllocatableResources ?? {}).length === 0) continue;
    const { nodeName, nodeSelector, allNodes } = placeOf(device, spec);
    const name = goQuote(device.name ?? '');
    if (nodeName !== undefined) {
      const node = await nodeOf(stored, nodeName);
      if (node === undefined) throw refusal(attributes, `node ${goQuote(nodeName)} not found for device ${name}`);
      requireAllocatable(attributes, node);
    } else if (nodeSelector !== undefined || allNodes === true) {
      const all = (await stored.list(nodes)) as readonly StoredNode[]; // decoded by the schema of nodes
      const selected = nodeSelector === undefined ? all : all.filter((node) => selectsNode(nodeSelector, node));
      for (const node of selected) requireAllocatable(attributes, node);
    } else {
      const why = `device ${name} in ResourceSlice has NodeAllocatableResources but does not map to any nodes`;
      throw refusal(attributes, why);
    }
  }
}

interface NodePlacement {
  readonly nodeName?: string;
  readonly nodeSelector?: NodeSelector;
  readonly allNodes?: boolean;
}

/** A slice has one place, or each of its devices one; of several that are given the first counts. */
function placeOf(device: Device, spec: ResourceSliceSpec | undefined): NodePlacement {
  const { nodeName, nodeSelector, allNodes } = spec?.perDeviceNodeSelection === true ? device : (spec ?? {});
  if (nodeName !== undefined && nodeName !== '') return { nodeName };
  if (nodeSelector !== undefined) return { nodeSelector };
  return allNodes === true ? { allNodes } : {};
}

async function nodeOf(stored: StoredObjects, name: string): Promise<StoredNode | undefined> {
  return (await stored.get(nodes, { namespace: '', name })) as StoredNode | undefined; // decoded by the schema of nodes
}

function declares({ status }: StoredNode, feature: string): boolean {
  return status?.declaredFeatures?.includes(feature) === true;
}

function requireAllocatable(attributes: AdmissionAttributes, node: StoredNode): void {
  if (declares(node, allocatableResources)) return;
  const name = goQuote(node.metadata.name ?? '');
  throw refusal(attributes, `node ${name} does not support ${allocatableResources} feature`);
}
