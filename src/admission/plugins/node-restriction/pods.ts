import { isDeepStrictEqual } from 'node:util';
import { goQuote } from '../../../api/go/go-quote.ts';
import type { Pod } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { refusal } from '../../refusal.ts';
import { mirrorAnnotation, type NodeWrite, type NodeWriteContext, storedObject } from './node-write.ts';
import { referenceProblem } from './pod-reference-problem.ts';

/** Nodes create and delete mirror pods, report pod status and evict their pods. */
export async function admitPodWrite(write: NodeWrite, context: NodeWriteContext): Promise<void> {
  const { attributes } = write;
  const { subresource } = attributes;
  if (subresource === '') await admitPod(write, context);
  else if (subresource === 'status') admitStatus(write);
  else if (subresource === 'eviction') await admitEviction(write, context);
  else {
    const what = goQuote(subresource);
    throw refusal(attributes, `unexpected pod subresource ${what}, only 'status' and 'eviction' are allowed`);
  }
}

async function admitPod(write: NodeWrite, context: NodeWriteContext): Promise<void> {
  const { attributes, node } = write;
  const { operation } = attributes;
  if (operation === 'CREATE') return admitMirrorPod(write, context);
  if (operation !== 'DELETE') {
    const what = `unexpected operation ${goQuote(operation)}, node ${goQuote(node)}`;
    throw refusal(attributes, `${what} can only create and delete mirror pods`);
  }
  const pod = (await storedObject(context.stored, 'pods', attributes)) as Pod;
  if (pod.spec?.nodeName === node) return;
  throw refusal(attributes, `node ${goQuote(node)} can only delete pods with spec.nodeName set to itself`);
}

async function admitMirrorPod(write: NodeWrite, { stored }: NodeWriteContext): Promise<void> {
  const { attributes, node } = write;
  // Objects are decoded by the schema of their resource.
  const pod = attributes.object as Pod;
  const problem = ownershipProblem(pod, node);
  if (problem !== undefined) throw refusal(attributes, problem);
  const { uid = '' } = (await storedObject(stored, 'nodes', { namespace: '', name: node })).metadata;
  const owner = pod.metadata?.ownerReferences?.[0]?.uid ?? '';
  if (owner !== uid) throw refusal(attributes, `node ${node} UID mismatch: expected ${owner} got ${uid}`);
  const reference = referenceProblem(pod, goQuote(node));
  if (reference !== undefined) throw refusal(attributes, reference);
}

function ownershipProblem({ metadata = {}, spec = {} }: Pod, name: string): string | undefined {
  const node = goQuote(name);
  if (metadata.annotations?.[mirrorAnnotation] === undefined) {
    return `pod does not have ${goQuote(mirrorAnnotation)} annotation, node ${node} can only create mirror pods`;
  }
  const itself = `node ${node} can only create pods with`;
  if (spec.nodeName !== name) return `${itself} spec.nodeName set to itself`;
  const [owner, ...more] = metadata.ownerReferences ?? [];
  if (more.length > 0) return `${itself} a single owner reference set to itself`;
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== name) {
    return `${itself} an owner reference set to itself`;
  }
  if (owner.controller !== true) return `${itself} a controller owner reference set to itself`;
  if (owner.blockOwnerDeletion !== true) return undefined;
  return `node ${node} must not set blockOwnerDeletion on an owner reference`;
}

/** Fields that a node may not change in a status update. */
const keptByStatus: readonly (readonly [what: string, of: (pod: Pod) => unknown])[] = [
  ['update labels through pod status', ({ metadata }) => metadata?.labels ?? {}],
  ['update resource claim statues', ({ status }) => status?.resourceClaimStatuses ?? []],
  ['update extended resource claim status', ({ status }) => status?.extendedResourceClaimStatus],
  [
    'update node allocatable resource claim statuses',
    ({ status }) => status?.nodeAllocatableResourceClaimStatuses ?? [],
  ],
];

function admitStatus({ attributes, node }: NodeWrite): void {
  const { operation, object, oldObject } = attributes;
  if (operation !== 'UPDATE') throw refusal(attributes, `unexpected operation ${goQuote(operation)}`);
  const [pod, old] = [object as Pod, oldObject as Pod];
  if (old.spec?.nodeName !== node) {
    const why = `node ${goQuote(node)} can only update pod status for pods with spec.nodeName set to itself`;
    throw refusal(attributes, why);
  }
  for (const [what, of] of keptByStatus) {
    if (!isDeepStrictEqual(of(pod), of(old))) throw refusal(attributes, `node ${goQuote(node)} cannot ${what}`);
  }
}

async function admitEviction({ attributes, node }: NodeWrite, { stored }: NodeWriteContext): Promise<void> {
  const { operation, namespace, object } = attributes;
  if (operation !== 'CREATE') throw refusal(attributes, `unexpected operation ${operation}`);
  const name = attributes.name || (object?.metadata.name ?? '');
  if (name === '') throw refusal(attributes, 'could not determine pod from request data');
  const pod = (await storedObject(stored, 'pods', { namespace, name })) as Pod;
  if (pod.spec?.nodeName === node) return;
  throw refusal(attributes, `node ${node} can only evict pods with spec.nodeName set to itself`);
}
