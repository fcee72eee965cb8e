import {
  childPath,
  type FieldError,
  invalidField,
  invalidFieldWithoutValue,
  notSupportedField,
  requiredField,
  tooLongField,
} from '../../../api/errors/field-error.ts';
import { allOf } from '../../../api/errors/findings.ts';
import type { WriteContext } from '../../../registry/kinds/strategy.ts';
import type {
  PodCertificateRequest,
  PodCertificateRequestSpec,
  PodCertificateRequestStatus,
} from '../../../schema/kubernetes/generated/types/certificates-v1.ts';
import type { Certificate } from '../../../codec/x509/certificate.ts';
import { pemBlocks } from '../../../codec/x509/pem.ts';
import type { Errors } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { statusConditions } from '../../parts/rules/status-conditions.ts';
import { readCertificate } from '../cluster-trust-bundle/validation.ts';
import { requestedPublicKey } from './validation.ts';

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
    // The reference formats the index as a field name.
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
    // The reference's spelling.
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

/** As Go shows durations. */
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
