import type { KubernetesObject } from '../../api/meta/object.ts';
import { type CertificateRequest, parsePemRequest } from '../../codec/x509/certificate-request.ts';
import type { CertificateSigningRequest } from '../../schema/kubernetes/generated/types/certificates-v1.ts';

export type StoredRequest = KubernetesObject & CertificateSigningRequest;

export const signingRequests = {
  group: 'certificates.k8s.io',
  version: 'v1',
  resource: 'certificatesigningrequests',
  namespace: '',
};

/** Retry delay after a failure. */
export const firstDelayMs = 200;

export const kubeletClientSigner = 'kubernetes.io/kube-apiserver-client-kubelet';

/** Whether the request has this condition. */
export function hasCondition({ status }: StoredRequest, type: 'Approved' | 'Denied' | 'Failed'): boolean {
  return (status?.conditions ?? []).some((condition) => condition.type === type);
}

export function isIssued({ status }: StoredRequest): boolean {
  return (status?.certificate ?? '') !== '';
}

/** Throws a DerError. */
export function parsedRequest({ spec }: StoredRequest): CertificateRequest {
  return parsePemRequest(Buffer.from(spec?.request ?? '', 'base64'));
}
