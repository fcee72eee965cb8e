import {
  childPath,
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  keyPath,
  notSupportedField,
  requiredField,
} from '../../../api/errors/field-error.ts';
import { goQuote } from '../../../api/go/go-quote.ts';
import { parsePemRequest } from '../../../codec/x509/certificate-request.ts';
import { parseCertificates } from '../../../codec/x509/certificate.ts';
import { DerError } from '../../../codec/x509/der.ts';
import { pemBlocks } from '../../../codec/x509/pem.ts';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '../../../schema/kubernetes/generated/types/certificates-v1.ts';
import type { KindChecks } from '../../kind-checks.ts';
import { signerName } from '../../parts/rules/forms.ts';
import { repetitions } from '../../parts/rules/repetitions.ts';
import type { Errors } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { shownField } from '../../parts/rules/set-fields.ts';

const legacySigner = 'kubernetes.io/legacy-unknown';
const decisions: readonly string[] = ['Approved', 'Denied'];
const outcomes: readonly string[] = [...decisions, 'Failed'];

const usages: readonly string[] = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

/** The error message of a PEM request; undefined if it is valid. */
function requestProblem(text: string): string | undefined {
  return derProblem(() => parsePemRequest(Buffer.from(text, 'base64')).signatureProblem);
}

function derProblem(read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof DerError) return error.message;
    throw error;
  }
}

/** The error message of issued PEM certificates. */
function certificateProblem(text: string): string | undefined {
  if (text === '') return undefined;
  const blocks = pemBlocks(Buffer.from(text, 'base64'));
  for (const { type, hasHeaders, bytes } of blocks) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${goQuote(type)}`;
    if (hasHeaders) return 'no PEM block headers are permitted';
    if (bytes.length === 0) return 'found CERTIFICATE PEM block containing 0 certificates';
    const problem = derProblem(() => {
      parseCertificates(bytes);
      return undefined;
    });
    if (problem !== undefined) return problem;
  }
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}

/** Updates tolerate errors that the stored request already has. */
function* signingRequest(request: CertificateSigningRequest, old?: CertificateSigningRequest): Errors {
  const { spec = {}, status = {} } = request;
  const problem = requestProblem(spec.request ?? '');
  if (problem !== undefined) yield invalidField('spec.request', shownField(spec, 'request'), problem);
  yield* usageErrors(spec.usages ?? [], old?.spec?.usages ?? []);
  if (spec.signerName === legacySigner && old?.spec?.signerName !== legacySigner) {
    const detail = 'the legacy signerName is not allowed via this API version';
    yield invalidField('spec.signerName', legacySigner, detail);
  } else yield* signerName(spec.signerName, 'spec.signerName');
  const { expirationSeconds } = spec;
  if (expirationSeconds !== undefined && expirationSeconds < 600) {
    const detail = 'may not specify a duration less than 600 seconds (10 minutes)';
    yield invalidField('spec.expirationSeconds', expirationSeconds, detail);
  }
  yield* conditionErrors(status.conditions ?? [], old?.status?.conditions ?? []);
  const { certificate = '' } = status;
  const before = old?.status?.certificate ?? '';
  if (old === undefined || (certificate !== before && certificateProblem(before) === undefined)) {
    const fault = certificateProblem(certificate);
    if (fault !== undefined) yield invalidField('status.certificate', '<certificate data>', fault);
  }
}

function hasDuplicates(values: readonly (string | undefined)[]): boolean {
  return new Set(values).size < values.length;
}

function* usageErrors(values: readonly string[], before: readonly string[]): Errors {
  const path = 'spec.usages';
  if (values.length === 0) yield requiredField(path);
  if (before.every((usage) => usages.includes(usage))) {
    for (const [index, usage] of values.entries()) {
      if (!usages.includes(usage)) yield notSupportedField(keyPath(path, index), usage, usages);
    }
  }
  if (hasDuplicates(before)) return;
  const isRepeated = repetitions();
  for (const [index, usage] of values.entries()) {
    if (isRepeated(usage)) yield duplicateField(keyPath(path, index), usage);
  }
}

type Conditions = readonly CertificateSigningRequestCondition[];

function* conditionErrors(conditions: Conditions, before: Conditions): Errors {
  const mayLackType = before.some(({ type = '' }) => type === '');
  const mayRepeat = hasDuplicates(before.map(({ type = '' }) => type));
  const seen = new Set<string>();
  for (const [index, { type = '', status = '' }] of conditions.entries()) {
    const path = keyPath('status.conditions', index);
    if (type === '' && !mayLackType) yield requiredField(childPath(path, 'type'));
    const allowed = outcomes.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
    if (status === '') yield requiredField(childPath(path, 'status'));
    else if (!allowed.includes(status)) yield notSupportedField(childPath(path, 'status'), status, allowed);
    if (seen.has(type) && !mayRepeat) yield duplicateField(childPath(path, 'type'), type);
    seen.add(type);
  }
}

/** Which kind of write may set what. */
type Path = 'object' | 'status' | 'approval';

function* update(request: CertificateSigningRequest, old: CertificateSigningRequest, path: Path): Errors {
  yield* signingRequest(request, old);
  const conditions = request.status?.conditions ?? [];
  const before = old.status?.conditions ?? [];
  for (const type of outcomes) {
    if (ofType(conditions, type).length < ofType(before, type).length) yield conditionsMayNot('remove', type);
  }
  if (path !== 'approval') {
    for (const type of decisions) {
      if (ofType(conditions, type).length > ofType(before, type).length) yield conditionsMayNot('add', type);
    }
  }
  yield* certificateUpdate(request.status?.certificate ?? '', old.status?.certificate ?? '', path);
  yield* contradiction(conditions, before);
}

function ofType(conditions: Conditions, type: string): Conditions {
  return conditions.filter((condition) => condition.type === type);
}

function conditionsMayNot(verb: string, type: string): FieldError {
  return forbiddenField('status.conditions', `updates may not ${verb} a condition of type "${type}"`);
}

function* certificateUpdate(certificate: string, before: string, path: Path): Errors {
  if (certificate === before) return;
  if (path !== 'status') yield forbiddenField('status.certificate', 'updates may not set certificate content');
  else if (before !== '') {
    yield forbiddenField('status.certificate', 'updates may not modify existing certificate content');
  }
}

function* contradiction(conditions: Conditions, before: Conditions): Errors {
  const contradicts = (list: Conditions): boolean => decisions.every((type) => ofType(list, type).length > 0);
  if (!contradicts(conditions) || contradicts(before) || sameValue(conditions, before)) return;
  const members = decisions.map((type) => `conditions[{"type": "${type}"}]`);
  const shown = members.map((member) => `\`${member}\``).join(', ');
  yield invalidField('status.conditions', `{${members.join(', ')}}`, `must specify at most one of: ${shown}`);
}

export const signingRequestChecks: KindChecks<CertificateSigningRequest> = {
  create: (request) => signingRequest(request),
  update: (request, old) => update(request, old, 'object'),
  subresources: {
    status: (request, old) => update(request, old, 'status'),
    approval: (request, old) => update(request, old, 'approval'),
  },
};
