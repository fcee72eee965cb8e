import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import {
  childPath,
  type FieldError,
  invalidField,
  invalidFieldWithoutValue,
  notSupportedField,
  requiredField,
  tooLongField,
} from '../../../api/field-error.ts';
import { allOf, pauseIsDue } from '../../../api/findings.ts';
import { dnsSubdomainErrors, qualifiedNameErrors } from '../../../api/names.ts';
import { type CertificateRequest, parseCertificateRequest } from '../../../codec/x509/certificate-request.ts';
import type { Certificate } from '../../../codec/x509/certificate.ts';
import { DerError } from '../../../codec/x509/der.ts';
import { pemBlocks } from '../../../codec/x509/pem.ts';
import type { PublicKey } from '../../../codec/x509/public-key.ts';
import type { WriteContext } from '../../../registry/strategy.ts';
import type {
  PodCertificateRequest,
  PodCertificateRequestSpec,
  PodCertificateRequestStatus,
} from '../../../schema/kubernetes/generated/types/certificates-v1.ts';
import { signerName } from '../../parts/rules/forms.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { type Errors, formErrors, immutableMessage } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { statusConditions } from '../../parts/rules/status-conditions.ts';
import { readCertificate } from '../cluster-trust-bundle/validation.ts';

const maxUidBytes = 128;
const maxKeyBytes = 10 * 1024;
const minSeconds = 60 * 60;
const maxSeconds = 91 * 24 * 60 * 60;
const maxKubernetesSeconds = 24 * 60 * 60;

/** Who asks, by name and uid. */
const identities = [
  ['podName', 'podUID'],
  ['serviceAccountName', 'serviceAccountUID'],
  ['nodeName', 'nodeUID'],
] as const;

/** Requests are stored as v1beta1, which has two fields more. */
type StoredSpec = Partial<PodCertificateRequestSpec> & {
  readonly pkixPublicKey?: string;
  readonly proofOfPossession?: string;
};

export function* podCertificateRequest({ spec = {} }: { readonly spec?: StoredSpec }): Errors {
  yield* signerName(spec.signerName, 'spec.signerName');
  for (const key of Object.keys(spec.unverifiedUserAnnotations ?? {})) {
    if (pauseIsDue()) yield;
    yield* domainPrefixedKey(key.toLowerCase(), 'spec.unverifiedUserAnnotations');
  }
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

/** The key to certify: in a stub request, or as v1beta1 has it, beside a signature over the pod's uid. */
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

function* domainPrefixedKey(key: string, path: string): Errors {
  if (key === '') yield requiredField(path);
  const faults = qualifiedNameErrors(key);
  if (faults.length > 0) return yield* formErrors(path, key, faults);
  if (key.split('/').length === 2) return;
  yield invalidField(path, key, 'must be a domain-prefixed key (such as "acme.io/foo")');
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

/** Undefined when it is none. */
function parseKey(encoded: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: encoded, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

/** The key in the form that certificates carry it. */
function requestedPublicKey({ stubPKCS10Request: stub = '', pkixPublicKey: key = '' }: StoredSpec): Buffer | undefined {
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

/** Undefined when it is none. */
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

const outcomes: readonly string[] = ['Issued', 'Denied', 'Failed'];

function is(outcome: string, { conditions = [] }: PodCertificateRequestStatus): boolean {
  return conditions.some(({ type, status }) => type === outcome && status === 'True');
}

export function* podCertificateStatus(
  { status = {}, spec = {} }: PodCertificateRequest,
  old: PodCertificateRequest,
  { nowMs }: WriteContext,
): Errors {
  const faults = allOf(conditionFaults(status));
  yield* faults;
  if (faults.length > 0) return;
  const before = old.status ?? {};
  const mayNot = (detail: string): FieldError => invalidFieldWithoutValue('status', detail);
  if (outcomes.some((outcome) => is(outcome, before))) {
    if (!sameValue(status, before)) yield mayNot('immutable after PodCertificateRequest is issued, denied, or failed');
  } else if (is('Denied', status) || is('Failed', status)) {
    const { conditions: _conditions, ...rest } = status;
    const detail = 'non-condition status fields must be empty when denying or failing the PodCertificateRequest';
    if (Object.keys(rest).length > 0) yield mayNot(detail);
  } else if (is('Issued', status)) yield* issued(status, spec, nowMs);
  else if (!sameValue(status, before)) {
    yield mayNot('status is immutable unless transitioning to "Issued", "Denied", or "Failed"');
  }
}

function* conditionFaults({ conditions = [] }: PodCertificateRequestStatus): Errors {
  let known = 0;
  for (const [index, { type = '', status = '' }] of conditions.entries()) {
    if (pauseIsDue()) yield;
    // The reference writes the index as a name of its own.
    const path = `status.conditions.[${index}]`;
    if (!outcomes.includes(type)) {
      yield notSupportedField(childPath(path, 'type'), type, [...outcomes]);
      continue;
    }
    known++;
    if (known > 1) {
      const detail = 'There may be at most one condition with type "Issued", "Denied", or "Failed"';
      yield invalidField(childPath(path, 'type'), type, detail);
    }
    if (status !== 'True') yield notSupportedField(childPath(path, 'status'), status, ['True']);
  }
  yield* statusConditions(conditions, 'status.conditions');
}

const chainPath = 'status.certificateChain';
const maxChainBytes = 100 * 1024;

function* issued(status: PodCertificateRequestStatus, spec: PodCertificateRequestSpec, nowMs: number): Errors {
  const { certificateChain: chain = '' } = status;
  if (Buffer.byteLength(chain) > maxChainBytes) return yield tooLongField(chainPath, maxChainBytes);
  const [leaf, ...others] = pemBlocks(chain);
  const fault = (detail: string): FieldError => invalidField(chainPath, chain, detail);
  if (leaf === undefined) return yield fault('issued certificate chain must contain at least one certificate');
  if (leaf.type !== 'CERTIFICATE') {
    return yield fault('issued certificate chain must consist entirely of CERTIFICATE PEM blocks');
  }
  const certificate = readCertificate(leaf.bytes);
  if (certificate === undefined) return yield fault('leaf certificate does not parse as valid X.509');
  yield* altNames(certificate);
  const wanted = requestedPublicKey(spec);
  if (wanted !== undefined && certificate.publicKey?.encoded.equals(wanted) !== true) {
    return yield fault('leaf certificate was not issued to the requested public key');
  }
  const times = allOf(issuedTimes(status, certificate, { nowMs, maxSeconds: spec.maxExpirationSeconds ?? 0 }));
  yield* times;
  if (times.length > 0) return;
  for (const { type, bytes } of others) {
    // The reference writes it so.
    if (type !== 'CERTIFICATE') {
      return yield fault('issued certificate chain must consist entirely of CERTFICATE PEM blocks');
    }
    if (readCertificate(bytes) === undefined) {
      return yield fault('intermediate certificate does not parse as valid X.509');
    }
  }
}

function* altNames({ altNames: { dnsNames } }: Certificate): Errors {
  for (const name of dnsNames) {
    if (name === '') yield invalidField(chainPath, name, 'leaf certificate should not contain empty DNSName');
    if (name.includes('..')) yield invalidField(chainPath, name, "leaf certificate's DNSName should not contain '..'");
    if (name.startsWith('.') || name.endsWith('.')) {
      yield invalidField(chainPath, name, "leaf certificate's DNSName should not start or end with '.'");
    }
  }
}

/** As durations are shown. */
function nanoseconds(durationMs: number): bigint {
  return BigInt(durationMs) * 1_000_000n;
}

interface Limits {
  readonly nowMs: number;
  readonly maxSeconds: number;
}

const consistent = 'must be present and consistent with the issued certificate';
const minute = 60_000;

function* issuedTimes(
  status: PodCertificateRequestStatus,
  leaf: Certificate,
  { nowMs, maxSeconds: max }: Limits,
): Errors {
  const { notBefore, notAfter, beginRefreshAt } = status;
  if (notBefore === undefined) yield requiredField('status.notBefore', consistent);
  if (notAfter === undefined) yield requiredField('status.notAfter', consistent);
  if (beginRefreshAt === undefined) {
    const detail = 'must be present and in the range [notbefore+10min, notafter-10min]';
    yield requiredField('status.beginRefreshAt', detail);
  }
  if (notBefore === undefined || notAfter === undefined || beginRefreshAt === undefined) return;
  const [start, end, refresh] = [Date.parse(notBefore), Date.parse(notAfter), Date.parse(beginRefreshAt)];
  const startPath = 'status.notBefore';
  if (start !== leaf.notBeforeMs) {
    return yield invalidField(
      startPath,
      notBefore,
      'must be set to the NotBefore time encoded in the leaf certificate',
    );
  }
  if (Math.abs(start - nowMs) >= 5 * minute) {
    return yield invalidField(startPath, notBefore, "must be set to within 5 minutes of kube-apiserver's current time");
  }
  if (end !== leaf.notAfterMs) {
    const detail = 'must be set to the NotAfter time encoded in the leaf certificate';
    return yield invalidField('status.notAfter', notAfter, detail);
  }
  const lifetime = end - start;
  if (lifetime < 60 * minute) {
    return yield invalidField(chainPath, nanoseconds(lifetime), 'leaf certificate lifetime must be >= 1 hour');
  }
  if (lifetime > max * 1000) {
    const detail = `leaf certificate lifetime must be <= spec.maxExpirationSeconds (${max})`;
    return yield invalidField(chainPath, nanoseconds(lifetime), detail);
  }
  const path = 'status.beginRefreshAt';
  if (refresh < start + 10 * minute) {
    return yield invalidField(path, beginRefreshAt, 'must be at least 10 minutes after status.notBefore');
  }
  if (refresh > end - 10 * minute) {
    yield invalidField(path, beginRefreshAt, 'must be at least 10 minutes before status.notAfter');
  }
}
