import { invalidField, tooLongField } from '../../../api/errors/field-error.ts';
import {
  cIdentifierErrors,
  longNameErrors,
  pathSegmentErrors,
  qualifiedNameErrors,
  shortNameErrors,
} from '../../../api/meta/names.ts';
import { caselessSubdomainErrors } from './forms.ts';
import { type Errors, form } from './rules.ts';

/** Rules of `+k8s:format` markers. */
export const declaredFormats: { readonly [format: string]: (value: string, path: string) => Errors } = {
  'k8s-long-name': form(longNameErrors),
  'k8s-long-name-caseless': form((value) => caselessSubdomainErrors(value, 'bytes')),
  'k8s-short-name': form(shortNameErrors),
  'k8s-label-key': form(qualifiedNameErrors),
  'k8s-prefixed-label-key': form(prefixedKeyErrors),
  'k8s-path-segment-name': form(pathSegmentErrors),
  'k8s-uuid': form(uuidErrors),
  unreserved: form(reservedDomainErrors),
  'k8s-resource-pool-name': poolName,
  'k8s-resource-fully-qualified-name': fullyQualifiedName,
};

/** A prefixed key whose domain is not one of Kubernetes. */
export function* keyOfOthers(value: string, path: string): Errors {
  for (const text of [...reservedDomainErrors(value), ...prefixedKeyErrors(value)])
    yield invalidField(path, value, text);
}

function prefixedKeyErrors(value: string): readonly string[] {
  const texts = qualifiedNameErrors(value);
  if (texts.length > 0 || value.includes('/')) return texts;
  return ["must include a prefix (e.g. 'example.com/key')"];
}

/** The keys of others than Kubernetes itself. */
function reservedDomainErrors(value: string): readonly string[] {
  let domain = (value.split('/')[0] ?? '').toLowerCase().trim();
  while (domain.endsWith('.')) domain = domain.slice(0, -1);
  const isReserved = ['k8s.io', 'kubernetes.io'].some((name) => domain === name || domain.endsWith(`.${name}`));
  return isReserved ? ['domain names *.k8s.io, *.kubernetes.io are reserved'] : [];
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function uuidErrors(value: string): readonly string[] {
  return uuid.test(value) ? [] : ['must be a lowercase UUID in 8-4-4-4-12 format'];
}

export function* poolName(value: string, path: string): Errors {
  if (Buffer.byteLength(value) > 253) yield tooLongField(path, 253);
  for (const [index, part] of value.split('/').entries()) {
    if (part === '') yield invalidField(path, value, `segment ${index}: must not be empty`);
    else for (const text of longNameErrors(part)) yield invalidField(path, part, `segment ${index}: ${text}`);
  }
}

/** `domain/name`. The reference does not notice a second slash. */
export function* fullyQualifiedName(value: string, path: string): Errors {
  const [first = '', second, ...more] = value.split('/');
  if (more.length > 0) return;
  if (second === undefined) {
    yield* identifier(first, path);
    yield invalidField(path, value, 'a fully qualified name must be a domain and a name separated by a slash');
    return;
  }
  if (first === '') yield invalidField(path, '', 'prefix must not be empty');
  else {
    if (Buffer.byteLength(first) > 63) yield tooLongField(path, 63);
    for (const text of longNameErrors(first)) yield invalidField(path, first, `prefix: ${text}`);
  }
  if (second === '') yield invalidField(path, '', 'name must not be empty');
  else yield* identifier(second, path);
}

function* identifier(value: string, path: string): Errors {
  if (Buffer.byteLength(value) > 32) yield tooLongField(path, 32);
  for (const text of cIdentifierErrors(value)) yield invalidField(path, value, text);
}
