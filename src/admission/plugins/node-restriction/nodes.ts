import { isDeepStrictEqual } from 'node:util';
import { goQuote } from '../../../api/go/go-quote.ts';
import type { Node } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { refusal } from '../../refusal.ts';
import type { NodeWrite } from './node-write.ts';

/** A node may write its own object, except what would attract workloads: protected labels, taints, its config. */
export function admitNodeObject({ attributes, node: name }: NodeWrite): void {
  const { operation, object, oldObject } = attributes;
  const node = goQuote(name);
  if (attributes.name !== name) {
    throw refusal(attributes, `node ${node} is not allowed to modify node ${goQuote(attributes.name)}`);
  }
  // Objects are decoded by the schema of their resource.
  if (operation === 'CREATE') {
    const problem = creationProblem(object as Node, node);
    if (problem !== undefined) throw refusal(attributes, problem);
  } else if (operation === 'UPDATE') {
    const problem = changeProblem(object as Node, oldObject as Node, node);
    if (problem !== undefined) throw refusal(attributes, problem);
  }
}

function creationProblem({ metadata, spec }: Node, node: string): string | undefined {
  if (spec?.configSource !== undefined) return `node ${node} is not allowed to create pods with a non-nil configSource`;
  const labels = forbiddenLabels(metadata?.labels ?? {}, {});
  return labels === '' ? undefined : `node ${node} is not allowed to set the following labels: ${labels}`;
}

function changeProblem({ metadata = {}, spec = {} }: Node, old: Node, node: string): string | undefined {
  const { configSource } = spec;
  const { metadata: oldMetadata = {}, spec: oldSpec = {} } = old;
  if (configSource !== undefined && !isDeepStrictEqual(configSource, oldSpec.configSource))
    return `node ${node} is not allowed to update configSource to a new non-nil configSource`;
  if (!isDeepStrictEqual(spec.taints ?? [], oldSpec.taints ?? []))
    return `node ${node} is not allowed to modify taints`;
  if (!isDeepStrictEqual(metadata.ownerReferences ?? [], oldMetadata.ownerReferences ?? []))
    return `node ${node} is not allowed to modify ownerReferences`;
  const labels = forbiddenLabels(metadata.labels ?? {}, oldMetadata.labels ?? {});
  return labels === '' ? undefined : `is not allowed to modify labels: ${labels}`;
}

type Labels = { readonly [name: string]: string };

function forbiddenLabels(labels: Labels, old: Labels): string {
  const changed = [...new Set([...Object.keys(labels), ...Object.keys(old)])].filter((key) => labels[key] !== old[key]);
  return changed.filter(isForbidden).toSorted().join(', ');
}

const kubeletLabels: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
]);

/** Labels under kubernetes.io are reserved, except those that kubelets set; all others are free. */
function isForbidden(label: string): boolean {
  const prefix = label.includes('/') ? label.slice(0, label.indexOf('/')) : '';
  if (isWithin(prefix, 'node-restriction.kubernetes.io')) return true;
  if (!isWithin(prefix, 'kubernetes.io') && !isWithin(prefix, 'k8s.io')) return false;
  const isKubelets = isWithin(prefix, 'kubelet.kubernetes.io') || isWithin(prefix, 'node.kubernetes.io');
  return !isKubelets && !kubeletLabels.has(label);
}

function isWithin(prefix: string, domain: string): boolean {
  return prefix === domain || prefix.endsWith(`.${domain}`);
}
