import { isDeepStrictEqual } from 'node:util';
import type { CertificateRequest } from '../../codec/x509/certificate-request.ts';
import { kubeletClientSigner } from './signing-requests.ts';

/** The reason why a signer refuses a request; undefined if it signs. */
export type RequestCheck = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

/** kube-controller-manager's signers, each with its requirements. */
export const requestChecks: ReadonlyMap<string, RequestCheck> = new Map<string, RequestCheck>([
  ['kubernetes.io/kubelet-serving', servingFault],
  [kubeletClientSigner, kubeletClientFault],
  ['kubernetes.io/kube-apiserver-client', (_request, usages) => clientUsagesFault(usages)],
  ['kubernetes.io/legacy-unknown', () => undefined],
]);

export function kubeletClientFault(request: CertificateRequest, usages: readonly string[]): string | undefined {
  const { dnsNames, emailAddresses, ipAddresses, uris } = request.altNames;
  if (!isOfNodes(request)) return foreignOrganization;
  if (dnsNames.length > 0) return 'DNS subjectAltNames are not allowed';
  if (emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  if (ipAddresses.length > 0) return 'IP subjectAltNames are not allowed';
  if (uris.length > 0) return 'URI subjectAltNames are not allowed';
  return isNode(request) ? usagesFault(usages, 'client auth') : foreignName;
}

function servingFault(request: CertificateRequest, usages: readonly string[]): string | undefined {
  const { dnsNames, emailAddresses, ipAddresses, uris } = request.altNames;
  if (!isOfNodes(request)) return foreignOrganization;
  if (dnsNames.length === 0 && ipAddresses.length === 0) return 'DNS or IP subjectAltName is required';
  if (emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  if (uris.length > 0) return 'URI subjectAltNames are not allowed';
  return usagesFault(usages, 'server auth') ?? (isNode(request) ? undefined : foreignName);
}

const foreignOrganization = 'subject organization is not system:nodes';
const foreignName = 'subject common name does not begin with system:node:';

function isOfNodes({ organizations }: CertificateRequest): boolean {
  return isDeepStrictEqual(organizations, ['system:nodes']);
}

function isNode({ commonName }: CertificateRequest): boolean {
  return commonName.startsWith('system:node:');
}

/** Only RSA keys can encipher keys. */
function usagesFault(usages: readonly string[], purpose: 'client auth' | 'server auth'): string | undefined {
  const given = new Set(usages);
  const wanted = ['digital signature', 'key encipherment', purpose].toSorted();
  const others = [...given].filter((usage) => !wanted.includes(usage));
  const fits = others.length === 0 && given.has('digital signature') && given.has(purpose);
  return fits ? undefined : `usages did not match [${wanted.join(' ')}]`;
}

function clientUsagesFault(usages: readonly string[]): string | undefined {
  const foreign = usages.find(
    (usage) => usage !== 'digital signature' && usage !== 'key encipherment' && usage !== 'client auth',
  );
  if (foreign !== undefined) return `invalid usage for client certificate: ${foreign}`;
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
}
