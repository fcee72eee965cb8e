import { type FieldError, invalidField, notSupportedField } from '../../api/errors/field-error.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import type { Int64 } from '../../api/values/int64.ts';
import { dnsSubdomainErrors, nameRules } from '../../api/meta/names.ts';
import { badRequest, invalid } from '../../api/errors/status-errors.ts';
import { reviewedGroupsKey } from '../../authentication/service-account/claims.ts';
import type {
  BoundObjectReference,
  TokenRequestSpec,
} from '../../schema/kubernetes/generated/types/authentication-v1.ts';

export type CompleteSpec = Omit<TokenRequestSpec, 'audiences' | 'expirationSeconds'> & {
  readonly audiences: string[];
  readonly expirationSeconds: Int64;
};

const kind = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
const leastSeconds = 600;
const mostSeconds = 2 ** 32;

/** Throws a 400 for a name that is no part of a path. */
export function refusePathName(name: string): void {
  const problems = nameRules.pathSegment(name, false);
  if (problems.length > 0) throw badRequest(`Name parameter invalid: ${goQuote(name)}: ${problems.join(';')}`);
}

/** Throws a 422. */
export function refuseSpec({ expirationSeconds, audiences, boundObjectRef, attestations }: CompleteSpec): void {
  const errors: FieldError[] = [];
  const refuse = (detail: string): unknown =>
    errors.push(invalidField('spec.expirationSeconds', expirationSeconds, detail));
  if (expirationSeconds < leastSeconds) refuse('may not specify a duration less than 10 minutes');
  if (expirationSeconds > mostSeconds) refuse('may not specify a duration larger than 2^32 seconds');
  if (isWebhook(boundObjectRef)) {
    if (audiences.length !== 1) {
      const detail = 'must be length 1 when bound to a webhook config';
      errors.push(invalidField('spec.audiences', audiences, detail));
    }
    errors.push(...attestationErrors(attestations));
  } else if (attestations !== undefined && Object.keys(attestations).length > 0) {
    const detail = 'attestations may only be specified with a webhook bound object reference';
    throw invalid(kind, '', [invalidField('spec.attestations', attestations, detail)]);
  }
  if (errors.length > 0) throw invalid(kind, '', errors);
}

function isWebhook({ apiVersion, kind: bound = '' }: BoundObjectReference = {}): boolean {
  const kinds = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'];
  return apiVersion === 'admissionregistration.k8s.io/v1' && kinds.includes(bound);
}

/** All that a webhook gets to know about a review is its API group. */
function attestationErrors(attestations: TokenRequestSpec['attestations']): readonly FieldError[] {
  const path = 'spec.attestations';
  const given = Object.entries(attestations ?? {});
  const [only] = given;
  if (only === undefined || given.length !== 1) {
    const detail = 'webhook bound requests require exactly one admissionReviewAPIGroups attestation';
    return [invalidField(path, attestations ?? null, detail)];
  }
  const [key, values] = only;
  const at = `${path}[${key}]`;
  if (key !== reviewedGroupsKey) return [notSupportedField(at, key, [reviewedGroupsKey])];
  const [group = ''] = values;
  if (values.length !== 1) return [invalidField(at, values, 'must specify a single value')];
  // As a name it would mean all groups, as a group that of the core.
  if (group === '') return [invalidField(`${at}[0]`, group, 'may not be an empty string')];
  if (group === '*') return [];
  return dnsSubdomainErrors(group).map((reason) =>
    invalidField(`${at}[0]`, group, `must specify a valid API Group: ${reason}`),
  );
}
