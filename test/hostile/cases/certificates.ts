import { generateKeyPairSync } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { type HostileCase, requestCase } from '../hostile-case.ts';
import { object } from '../kind-row.ts';

const api = '/apis/certificates.k8s.io';
const dryRun = '?dryRun=All';
/** As much as base64 within base64 leaves of a body. */
const largestBytes = 1_600_000;

/** One value in DER: what it consists of may be larger than the server's own encoder has to write. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const digits = length.subarray(length.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.from([tag, 0x80 | digits.length]), digits, content]);
}

const oid = (hex: string): Buffer => der(6, Buffer.from(hex, 'hex'));
const organization = oid('55040a');
const altNames = oid('551d11');
const requestedExtensions = oid('2a864886f70d01090e');
const signature = [der(0x30, oid('2a8648ce3d040302')), der(3, Buffer.alloc(65))];
const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const keyInfo = publicKey.export({ type: 'spki', format: 'der' });

function repeated(item: Buffer, bytes: number): Buffer {
  return Buffer.concat(Array.from({ length: Math.floor(bytes / item.length) }, () => item));
}

function request(subject: Buffer, attributes: Buffer): Buffer {
  const body = der(0x30, der(2, Buffer.alloc(1)), der(0x30, subject), keyInfo, der(0xa0, attributes));
  return der(0x30, body, ...signature);
}

const extensions = (list: Buffer): Buffer => der(0x30, requestedExtensions, der(0x31, der(0x30, list)));
const named = (names: Buffer): Buffer => extensions(der(0x30, altNames, der(4, der(0x30, names))));
const nothing = Buffer.alloc(0);

/** What a request consists of, as often as fits. */
const requests: { readonly [name: string]: (bytes: number) => Buffer } = {
  'parts of a name': (bytes) => {
    const part = der(0x31, der(0x30, organization, der(12, Buffer.from('a'))));
    return request(repeated(part, bytes), nothing);
  },
  'names of a host': (bytes) => request(nothing, named(repeated(der(0x82, Buffer.from('a.b')), bytes))),
  addresses: (bytes) => request(nothing, named(repeated(der(0x86, Buffer.from('a://b')), bytes))),
  extensions: (bytes) => request(nothing, extensions(repeated(der(0x30, altNames, der(4, der(0x30, nothing))), bytes))),
  'empty attributes': (bytes) => request(nothing, repeated(der(0x30, nothing), bytes)),
  'wrong attributes': (bytes) => request(nothing, repeated(der(0x30, requestedExtensions), bytes)),
};

function pem(type: string, bytes: Buffer): string {
  return `-----BEGIN ${type}-----\n${bytes.toString('base64')}\n-----END ${type}-----\n`;
}

function requestBody(bytes: Buffer): string {
  const text = Buffer.from(pem('CERTIFICATE REQUEST', bytes)).toString('base64');
  const spec = { request: text, signerName: 'a.b/c', usages: ['client auth'] };
  return JSON.stringify(object('certificates.k8s.io/v1', 'CertificateSigningRequest', { spec }));
}

const requestCases: readonly HostileCase[] = Object.entries(requests).flatMap(([name, make]) =>
  Object.entries({ '1.6 MB': largestBytes, '40 KB': 40_000 }).map(([size, bytes]) =>
    requestCase({
      name: `certificates: a request of ${size} of ${name}`,
      path: `${api}/v1/certificatesigningrequests${dryRun}`,
      body: () => requestBody(make(bytes)),
      codes: [201, 422],
    }),
  ),
);

/** As many authorities as one bundle may have. */
function bundle(bytes: number): string {
  const [smallest = ''] = rootCertificates.toSorted((a, b) => a.length - b.length);
  return `${smallest}\n`.repeat(Math.floor(bytes / (smallest.length + 1)));
}

export const certificateCases: readonly HostileCase[] = [
  ...requestCases,
  requestCase({
    name: 'certificates: a bundle of 1 MB',
    configure: () => Promise.resolve(['--runtime-config=certificates.k8s.io/v1beta1/clustertrustbundles=true']),
    path: `${api}/v1beta1/clustertrustbundles${dryRun}`,
    body: () =>
      JSON.stringify(
        object('certificates.k8s.io/v1beta1', 'ClusterTrustBundle', { spec: { trustBundle: bundle(1_040_000) } }),
      ),
    codes: [422],
  }),
  requestCase({
    name: 'certificates: a conversion webhook with 30,000 wrong authorities',
    path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions${dryRun}`,
    body: () => {
      const caBundle = Buffer.from(pem('CERTIFICATE', der(0x30)).repeat(30_000)).toString('base64');
      const clientConfig = { url: 'https://a', caBundle };
      const schema = { openAPIV3Schema: { type: 'object' } };
      return JSON.stringify({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'as.x.io' },
        spec: {
          group: 'x.io',
          scope: 'Namespaced',
          names: { plural: 'as', kind: 'A' },
          versions: [{ name: 'v1', served: true, storage: true, schema }],
          conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } },
        },
      });
    },
    codes: [201, 422],
  }),
];
