import type { AdmissionPlugin } from '../../api/contracts/admission.ts';
import { type CertificateRequest, parsePemRequest } from '../../codec/x509/certificate-request.ts';
import { DerError } from '../../codec/x509/der.ts';
import type { CertificateSigningRequest } from '../../schema/kubernetes/generated/types/certificates-v1.ts';
import { refusal } from '../refusal.ts';

const clientSigner = 'kubernetes.io/kube-apiserver-client';
const unrestrictedGroup = 'system:masters';

/** Denies requests for client certificates in the `system:masters` group. */
export const certificateSubjectRestriction: AdmissionPlugin = {
  name: 'CertificateSubjectRestriction',
  operations: new Set(['CREATE']),
  validate(attributes) {
    const { group, resource, subresource, object } = attributes;
    if (group !== 'certificates.k8s.io' || resource !== 'certificatesigningrequests' || subresource !== '') return;
    // Objects are decoded by the schema of their resource.
    const { spec = {} } = object as CertificateSigningRequest;
    if (spec.signerName !== clientSigner) return;
    let request: CertificateRequest;
    try {
      request = parsePemRequest(Buffer.from(spec.request ?? '', 'base64'));
    } catch (error) {
      if (error instanceof DerError) throw refusal(attributes, `failed to parse CSR: ${error.message}`);
      throw error;
    }
    if (request.organizations.includes(unrestrictedGroup)) {
      throw refusal(attributes, `use of ${clientSigner} signer with ${unrestrictedGroup} group is not allowed`);
    }
  },
};
