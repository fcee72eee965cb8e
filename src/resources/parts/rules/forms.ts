import { tooFewSegments } from '../../../api/validation/domain-name.ts';
import { type FieldError, invalidField, requiredField, tooLongField } from '../../../api/errors/field-error.ts';
import { goQuote } from '../../../api/go/go-quote.ts';
import {
  dnsLabelErrors,
  dnsSubdomainErrors,
  maxLengthMessage,
  patternMessage,
  qualifiedNameErrors,
} from '../../../api/meta/names.ts';
import { type Errors, formErrors } from './rules.ts';

// String formats used by few fields.

/** Names of environment variables: printable ASCII without `=`. */
export function relaxedEnvNameErrors(value: string): string[] {
  if (value === '') return ['environment variable name must be non-empty'];
  if (/^[ -<>-~]*$/.test(value)) return [];
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

const underscoreLabel = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const underscoreSubdomain = `${underscoreLabel}(\\.${underscoreLabel})*`;
const underscoreExpression = new RegExp(`^${underscoreSubdomain}$`);
const subdomainMessage =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character";

/** DNS search paths: subdomains with underscores. */
export function underscoreSubdomainErrors(value: string): string[] {
  const errors = Buffer.byteLength(value) > 253 ? [maxLengthMessage(253)] : [];
  if (underscoreExpression.test(value)) return errors;
  return [...errors, patternMessage(subdomainMessage, underscoreSubdomain, ['example.com'])];
}

const anyCaseMessage =
  "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";

/** Case-insensitive subdomains. */
export function caselessSubdomainErrors(value: string, unit?: 'bytes'): string[] {
  const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
  const subdomain = `${label}(\\.${label})*`;
  const errors = Buffer.byteLength(value) > 253 ? [maxLengthMessage(253, unit)] : [];
  if (dnsSubdomainErrors(value.toLowerCase()).every((text) => text === maxLengthMessage(253))) return errors;
  return [...errors, patternMessage(anyCaseMessage, subdomain, ['Example.com'])];
}

/** `domain.example/name` of a certificate signer. */
export function* signerName(value: string | undefined, path: string): Errors {
  if (value === undefined || value === '') return yield requiredField(path);
  const [domain = '', name = '', ...more] = value.split('/');
  if (!value.includes('/') || more.length > 0) {
    const detail = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return yield invalidField(path, value, detail);
  }
  if (domain.length > 253) yield tooLongField(path, 253);
  const labels = domain.split('.');
  yield* firstBadLabel(domain, path, dnsLabelErrors);
  if (labels.length < 2) yield invalidField(path, domain, tooFewSegments);
  yield* firstBadLabel(name, path, dnsSubdomainErrors);
  if (value.length > 571) yield tooLongField(path, 571);
}

function firstBadLabel(value: string, path: string, check: (label: string) => string[]): FieldError[] {
  const bad = value.split('.').find((label) => check(label).length > 0);
  if (bad === undefined) return [];
  return check(bad).map((text) => invalidField(path, value, `validating label ${goQuote(bad)}: ${text}`));
}

/** `/a/b`: no segment may be `..`. */
export function noBacksteps(value: string | undefined, path: string): Errors {
  return (value ?? '').split('/').includes('..') ? [invalidField(path, value, "must not contain '..'")] : [];
}

/** A relative path without `..`. */
export function* descendingPath(value: string | undefined, path: string): Errors {
  if (value?.startsWith('/') === true) yield invalidField(path, value, 'must be a relative path');
  yield* noBacksteps(value, path);
}

/** A relative path in a volume, where names that begin with `..` are reserved. */
export function* volumeFilePath(value: string | undefined, path: string): Errors {
  yield* descendingPath(value, path);
  if (value?.startsWith('..') === true && !value.startsWith('../')) {
    yield invalidField(path, value, "must not start with '..'");
  }
}

const mostAnnotationBytes = 256 * 1024;

/** Annotations that a pod asks to have in its certificate: their keys have a domain, in any case. */
export function* userAnnotations(annotations: { readonly [key: string]: string }, path: string): Errors {
  let total = 0;
  for (const key of Object.keys(annotations)) {
    total += Buffer.byteLength(key) + Buffer.byteLength(annotations[key] ?? '');
    yield* domainPrefixedKey(key.toLowerCase(), path);
  }
  if (total > mostAnnotationBytes) yield tooLongField(path, mostAnnotationBytes);
}

function* domainPrefixedKey(key: string, path: string): Errors {
  if (key === '') return yield requiredField(path);
  const faults = qualifiedNameErrors(key);
  if (faults.length > 0) return yield* formErrors(path, key, faults);
  if (key.split('/').length === 2) return;
  yield invalidField(path, key, 'must be a domain-prefixed key (such as "acme.io/foo")');
}
