import {
  type FieldError,
  invalidField,
  invalidFieldWithoutValue,
  requiredField,
  tooLongField,
} from '../../../api/errors/field-error.ts';
import { dnsSubdomainErrors } from '../../../api/meta/names.ts';
import type {
  PodCertificateRequest,
  PodCertificateRequestSpec,
} from '../../../schema/kubernetes/generated/types/certificates-v1.ts';
import { type CertificateRequest, parseCertificateRequest } from '../../../codec/x509/certificate-request.ts';
import { DerError } from '../../../codec/x509/der.ts';
import type { PublicKey } from '../../../codec/x509/public-key.ts';
import { signerName, userAnnotations } from '../../parts/rules/forms.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { type Errors, formErrors, immutableMessage } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';

const maxUidBytes = 128;

const maxKeyBytes = 10 * 1024;

const minSeconds = 60 * 60;

export const maxSeconds = 91 * 24 * 60 * 60;

const maxKubernetesSeconds = 24 * 60 * 60;

/** The requesters, by name and uid. */
const identities = [
  ['podName', 'podUID'],
  ['serviceAccountName', 'serviceAccountUID'],
  ['nodeName', 'nodeUID'],
] as const;

/** Requests are stored as v1beta1, which has two more fields. */
type StoredSpec = Partial<PodCertificateRequestSpec> & {
  readonly pkixPublicKey?: string;
  readonly proofOfPossession?: string;
};

export function* podCertificateRequest({ spec = {} }: { readonly spec?: StoredSpec }): Errors {
  yield* signerName(spec.signerName, 'spec.signerName');
  yield* userAnnotations(spec.unverifiedUserAnnotations ?? {}, 'spec.unverifiedUserAnnotations');
  for (const [name, uid] of identities) {
    yield* formErrors(`spec.${name}`, spec[name] ?? '', dnsSubdomainErrors(spec[name] ?? ''));
    const value = spec[uid] ?? '';
    if (value === '') yield invalidField(`spec.${uid}`, value, 'must not be empty');
    if (Buffer.byteLength(value) > maxUidBytes) yield tooLongField(`spec.${uid}`, maxUidBytes);
  }
  const { maxExpirationSeconds: seconds } = spec;
  if (seconds === undefined) return yield requiredField('spec.maxExpirationSeconds', 'must be set');
  const [host = ''] = (spec.signerName ?? '').split('/');
  const max = host === 'kubernetes.io' || host.endsWith('.kubernetes.io') ? maxKubernetesSeconds : maxSeconds;
  if (seconds < minSeconds || seconds > max) {
    yield invalidField('spec.maxExpirationSeconds', seconds, `must be in the range [${minSeconds}, ${max}]`);
  }
  yield* requestedKey(spec);
}

/** The key to certify: in a stub request, or as in v1beta1 with a signature over the pod's uid. */
function* requestedKey(spec: StoredSpec): Errors {
  const { stubPKCS10Request: stub = '', pkixPublicKey: key = '', proofOfPossession: proof = '' } = spec;
  const detail = 'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set';
  if (stub !== '' && key === '' && proof === '') yield* stubRequest(stub);
  else if (stub === '' && key !== '' && proof !== '') yield* ownedKey({ key, proof, podUid: spec.podUID ?? '' });
  else yield invalidFieldWithoutValue('spec', detail);
}

export function podCertificateRequestUpdate({ spec }: PodCertificateRequest, old: PodCertificateRequest): Errors {
  if (sameValue(spec, old.spec)) return [];
  return [invalidField('spec', internalValue('certificates.PodCertificateRequestSpec', spec), immutableMessage)];
}

const stubPath = 'spec.stubPKCS10Request';

const keyPath = 'spec.pkixPublicKey';

const proofPath = 'spec.proofOfPossession';

const provenCurves: readonly string[] = ['prime256v1', 'secp384r1', 'secp521r1'];

interface OwnedKey {
  readonly key: string;
  readonly proof: string;
  readonly podUid: string;
}

function* ownedKey({ key, proof, podUid }: OwnedKey): Errors {
  const [encoded, signature] = [Buffer.from(key, 'base64'), Buffer.from(proof, 'base64')];
  if (encoded.length > maxKeyBytes) return yield tooLongField(keyPath, maxKeyBytes);
  if (signature.length > maxKeyBytes) return yield tooLongField(proofPath, maxKeyBytes);
  const publicKey = parseKey(encoded);
  if (publicKey === undefined) return yield invalidField(keyPath, key, 'must be a valid PKIX-serialized public key');
  const { asymmetricKeyType: type, asymmetricKeyDetails: details = {} } = publicKey;
  const { namedCurve = '', modulusLength = 0 } = details;
  if (type === 'ec' && !provenCurves.includes(namedCurve)) {
    const curve = namedCurve === 'secp224r1' ? 'P-224' : namedCurve;
    return yield invalidField(keyPath, `curve ${curve}`, 'elliptic public keys must use curve P256 or P384');
  }
  const modulus = Math.ceil(modulusLength / 8) * 8;
  if (type === 'rsa' && modulus !== 3072 && modulus !== 4096) {
    return yield invalidField(keyPath, `${modulus}-bit modulus`, 'RSA keys must have modulus size 3072 or 4096');
  }
  if (type !== 'ec' && type !== 'rsa' && type !== 'ed25519') return yield invalidField(keyPath, key, unknownKey);
  const padding = type === 'rsa' ? { padding: constants.RSA_PKCS1_PSS_PADDING } : {};
  const digest = type === 'ed25519' ? null : 'sha256';
  if (!verify(digest, Buffer.from(podUid), { key: publicKey, ...padding }, signature)) {
    yield invalidFieldWithoutValue(proofPath, 'could not verify proof-of-possession signature');
  }
}

/** Undefined if malformed. */
function parseKey(encoded: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: encoded, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

/** The key as encoded in certificates (SPKI). */
export function requestedPublicKey({
  stubPKCS10Request: stub = '',
  pkixPublicKey: key = '',
}: StoredSpec): Buffer | undefined {
  return stub === ''
    ? parseKey(Buffer.from(key, 'base64'))?.export({ format: 'der', type: 'spki' })
    : parseStub(stub)?.publicKey?.encoded;
}

function keyFault({ algorithm, curve, bits = 0 }: PublicKey): FieldError | undefined {
  if (algorithm === 'ECDSA' && curve === 'P-224') {
    return invalidField(stubPath, `curve ${curve}`, 'elliptic public keys must use curve P256, P384, or P521');
  }
  const modulus = Math.ceil(bits / 8) * 8;
  if (algorithm === 'RSA' && modulus !== 3072 && modulus !== 4096) {
    return invalidField(stubPath, `${modulus}-bit modulus`, 'RSA keys must have modulus size 3072 or 4096');
  }
  return undefined;
}

const unknownKey = 'unknown public key type; supported types are Ed25519, ECDSA, and RSA';

const usable: readonly string[] = ['Ed25519', 'ECDSA', 'RSA'];

/** Undefined if malformed. */
function parseStub(stub: string): CertificateRequest | undefined {
  try {
    return parseCertificateRequest(Buffer.from(stub, 'base64'));
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

function* stubRequest(stub: string): Errors {
  if (Buffer.from(stub, 'base64').length > maxKeyBytes) return yield tooLongField(stubPath, maxKeyBytes);
  const request = parseStub(stub);
  if (request === undefined) return yield invalidFieldWithoutValue(stubPath, 'must be a valid PKCS#10 CSR');
  const { publicKey } = request;
  if (publicKey === undefined || !usable.includes(publicKey.algorithm)) {
    return yield invalidFieldWithoutValue(stubPath, unknownKey);
  }
  const fault = keyFault(publicKey);
  if (fault !== undefined) return yield fault;
  if (request.signatureProblem !== undefined) yield invalidFieldWithoutValue(stubPath, 'invalid signature');
}
