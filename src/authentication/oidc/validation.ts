import {
  childPath,
  duplicateField,
  type FieldError,
  invalidField,
  keyPath,
  requiredField,
  tooManyField,
} from '../../api/errors/field-error.ts';
import { GoUrlError, parseGoUrl } from '../../api/go/go-url.ts';

import { DerError } from '../../codec/x509/der.ts';
import { pemCertificates } from '../../codec/x509/pem-certificates.ts';
import type { AuthenticationConfiguration, Issuer, JwtAuthenticator } from './configuration.ts';
import { compileErrors, validateMappings, validateRules } from './expression-validation.ts';

type Errors = Generator<FieldError, void>;

const maxAuthenticators = 64;

/** Validates a configuration, with the reference's texts. `disallowed`: the issuers of service account tokens. */
export function* validateConfiguration(
  { jwt = [], anonymous }: AuthenticationConfiguration,
  disallowed: readonly string[],
): Errors {
  if (jwt.length > maxAuthenticators) {
    return yield tooManyField('jwt', jwt.length, maxAuthenticators);
  }
  const seen = { url: new Set<string>(), discoveryURL: new Set<string>() };
  for (const [index, authenticator] of jwt.entries()) {
    const path = keyPath('jwt', index);
    yield* validateAuthenticator(authenticator, disallowed, path);
    for (const field of ['url', 'discoveryURL'] as const) {
      const value = authenticator.issuer?.[field] ?? '';
      if (seen[field].has(value)) yield duplicateField(`${path}.issuer.${field}`, value);
      if (value !== '' || field === 'url') seen[field].add(value);
    }
  }
  const { enabled = false, conditions = [] } = anonymous ?? {};
  if (!enabled && conditions.length > 0) {
    // The conditions as Go prints them.
    const shown = conditions.map(({ path = '' }) => ({ Path: path }));
    yield invalidField('anonymous.conditions', shown, 'enabled should be set to true when conditions are defined');
  }
}

/** One of them. */
export function* validateAuthenticator(
  authenticator: JwtAuthenticator,
  disallowed: readonly string[],
  path: string,
): Errors {
  yield* validateIssuer(authenticator.issuer ?? {}, disallowed, childPath(path, 'issuer'));
  yield* validateRules(authenticator.claimValidationRules ?? [], childPath(path, 'claimValidationRules'));
  yield* validateMappings(authenticator, childPath(path, 'claimMappings'));
  const seen = new Set<string>();
  for (const [index, { expression = '' }] of (authenticator.userValidationRules ?? []).entries()) {
    yield* validateUserRule(expression, seen, `${keyPath(childPath(path, 'userValidationRules'), index)}.expression`);
  }
}

function* validateUserRule(expression: string, seen: Set<string>, path: string): Errors {
  if (expression === '') return yield requiredField(path);
  if (seen.has(expression)) return yield duplicateField(path, expression);
  seen.add(expression);
  yield* compileErrors({ subject: 'user', text: expression, isCondition: true }, path);
}

function* validateIssuer(issuer: Issuer, disallowed: readonly string[], path: string): Errors {
  const { url = '', discoveryURL = '', certificateAuthority = '', egressSelectorType = '' } = issuer;
  if (url === '') yield requiredField(`${path}.url`);
  else yield* validateUrl(url, disallowed, `${path}.url`);
  if (discoveryURL !== '') {
    const field = `${path}.discoveryURL`;
    if (url !== '' && withoutSlashes(url) === withoutSlashes(discoveryURL)) {
      yield invalidField(field, discoveryURL, 'discoveryURL must be different from URL');
    }
    yield* validateUrl(discoveryURL, [], field);
  }
  yield* validateAudiences(issuer, path);
  yield* validateAuthority(certificateAuthority, `${path}.certificateAuthority`);
  if (egressSelectorType !== '' && egressSelectorType !== 'controlplane' && egressSelectorType !== 'cluster') {
    const detail = 'egress selector must be either controlplane or cluster';
    yield invalidField(`${path}.egressSelectorType`, egressSelectorType, detail);
  }
}

function* validateUrl(text: string, disallowed: readonly string[], path: string): Errors {
  if (disallowed.includes(text)) {
    const all = disallowed.toSorted().join(' ');
    yield invalidField(path, text, `URL must not overlap with disallowed issuers: [${all}]`);
  }
  try {
    const { scheme, user, query, fragment } = parseGoUrl(text);
    if (scheme !== 'https') yield invalidField(path, text, 'URL scheme must be https');
    if (user !== undefined) yield invalidField(path, text, 'URL must not contain a username or password');
    if (query !== '') yield invalidField(path, text, 'URL must not contain a query');
    if (fragment !== '') yield invalidField(path, text, 'URL must not contain a fragment');
  } catch (error) {
    if (!(error instanceof GoUrlError)) throw error;
    yield invalidField(path, text, error.message);
  }
}

function withoutSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}

function* validateAudiences({ audiences = [], audienceMatchPolicy: policy = '' }: Issuer, path: string): Errors {
  const field = `${path}.audiences`;
  if (audiences.length === 0) return yield requiredField(field, `at least one ${field} is required`);
  const seen = new Set<string>();
  for (const [index, audience] of audiences.entries()) {
    if (audience === '') yield requiredField(keyPath(field, index));
    if (seen.has(audience)) yield duplicateField(keyPath(field, index), audience);
    seen.add(audience);
  }
  if (audiences.length > 1 && policy !== 'MatchAny') {
    const detail = 'audienceMatchPolicy must be MatchAny for multiple audiences';
    yield invalidField(`${path}.audienceMatchPolicy`, policy, detail);
  }
  if (audiences.length === 1 && policy !== '' && policy !== 'MatchAny') {
    const detail = 'audienceMatchPolicy must be empty or MatchAny for single audience';
    yield invalidField(`${path}.audienceMatchPolicy`, policy, detail);
  }
}

function* validateAuthority(pem: string, path: string): Errors {
  if (pem === '') return;
  try {
    pemCertificates(pem);
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
    yield invalidField(path, '<omitted>', error.message);
  }
}
