import { isDeepStrictEqual } from 'node:util';
import type { AdmissionAttributes } from '../../../api/contracts/admission.ts';
import { goQuote } from '../../../api/go/go-quote.ts';
import type { KubernetesObject } from '../../../api/meta/object.ts';
import { parsePemRequest } from '../../../codec/x509/certificate-request.ts';
import { DerError } from '../../../codec/x509/der.ts';
import type { CertificateSigningRequest } from '../../../schema/kubernetes/generated/types/certificates-v1.ts';
import type { PersistentVolumeClaim } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { ResourceSlice } from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import type { CSINode } from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { refusal } from '../../refusal.ts';
import type { NodeWrite, NodeWriteContext } from './node-write.ts';

export function admitLease({ attributes, node }: NodeWrite): void {
  if (attributes.namespace !== 'kube-node-lease')
    throw refusal(attributes, 'can only access leases in the "kube-node-lease" system namespace');
  if (nameOf(attributes) !== node)
    throw refusal(attributes, 'can only access node lease with the same name as the requesting node');
}

export function admitCsiNode({ attributes, node }: NodeWrite, { isOn }: NodeWriteContext): void {
  const { operation, subresource, object, oldObject } = attributes;
  if (nameOf(attributes) !== node)
    throw refusal(attributes, 'can only access CSINode with the same name as the requesting node');
  if (subresource !== 'status') return;
  if (!isOn('CSIVolumeHealth')) throw refusal(attributes, 'CSIVolumeHealth feature gate is disabled');
  if (operation !== 'UPDATE') throw refusal(attributes, `unexpected operation ${goQuote(operation)}`);
  if (!isDeepStrictEqual((object as CSINode).spec, (oldObject as CSINode).spec))
    throw refusal(attributes, `node ${goQuote(node)} is not allowed to modify CSINode spec via status`);
}

/** The object being created has the name itself. */
function nameOf({ operation, name, object }: AdmissionAttributes): string {
  return operation === 'CREATE' ? (object?.metadata.name ?? '') : name;
}

/** What the authorizer cannot check: names of new objects, and each object of a deletecollection. */
export function admitResourceSlice({ attributes, node }: NodeWrite): void {
  const { operation, object, oldObject } = attributes;
  if (operation !== 'CREATE' && operation !== 'DELETE') return;
  const slice = (operation === 'CREATE' ? object : oldObject) as ResourceSlice;
  if (slice.spec?.nodeName === node) return;
  const what = `can only ${operation.toLowerCase()} ResourceSlice with the same NodeName as the requesting node`;
  throw refusal(attributes, what);
}

const nodeSigners: ReadonlySet<string | undefined> = new Set([
  'kubernetes.io/kubelet-serving',
  'kubernetes.io/kube-apiserver-client-kubelet',
]);

export function admitCertificateRequest({ attributes, node }: NodeWrite, { isOn }: NodeWriteContext): void {
  if (isOn('AllowInsecureKubeletCertificateSigningRequests') || attributes.operation !== 'CREATE') return;
  const { spec = {} } = attributes.object as CertificateSigningRequest;
  if (!nodeSigners.has(spec.signerName)) return;
  if (commonNameOf(attributes, spec.request ?? '') !== `system:node:${node}`)
    throw refusal(attributes, `can only create a node CSR with CN=system:node:${node}`);
}

function commonNameOf(attributes: AdmissionAttributes, request: string): string {
  try {
    return parsePemRequest(Buffer.from(request, 'base64')).commonName;
  } catch (error) {
    if (error instanceof DerError) throw refusal(attributes, `unable to parse csr: ${error.message}`);
    throw error;
  }
}

/** Nodes report the actual size of a claim's volume. */
export function admitClaim({ attributes, node }: NodeWrite, { isOn }: NodeWriteContext): void {
  const { operation, subresource, object, oldObject } = attributes;
  if (subresource !== 'status') throw refusal(attributes, 'may only update PVC status');
  if (operation !== 'UPDATE') throw refusal(attributes, `unexpected operation ${goQuote(operation)}`);
  const mayRecover = isOn('RecoverVolumeExpansionFailure');
  if (isDeepStrictEqual(withoutResizing(object, mayRecover), withoutResizing(oldObject, mayRecover))) return;
  const why = `node ${goQuote(node)} is not allowed to update fields other than status.quantity and status.conditions`;
  throw refusal(attributes, why);
}

const resizing: readonly string[] = ['capacity', 'conditions'];
const recovering: readonly string[] = ['allocatedResources', 'allocatedResourceStatuses'];

function withoutResizing(object: Readonly<KubernetesObject> | undefined, mayRecover: boolean): unknown {
  const { metadata = {}, status = {}, ...rest } = object as PersistentVolumeClaim;
  return {
    ...rest,
    metadata: without(metadata, ['resourceVersion', 'managedFields']),
    status: without(status, mayRecover ? [...resizing, ...recovering] : resizing),
  };
}

function without(fields: object, names: readonly string[]): unknown {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
