import { forbiddenField, invalidField, keyPath, requiredField, tooLongField } from '../../api/field-error.ts';
import { pauseIsDue } from '../../api/findings.ts';
import { configMapKeyErrors, qualifiedNameErrors } from '../../api/names.ts';
import type * as core from '../../schema/kubernetes/generated/types/core-v1.ts';
import { type Errors, formErrors, immutable, isEmpty } from '../parts/rules/rules.ts';
import { sameValue } from '../parts/rules/same-value.ts';

// Config maps, secrets and namespaces.

const maxDataBytes = 1024 * 1024;

type Data = { readonly [key: string]: string };

function sizeOfBase64(text: string): number {
  return Buffer.byteLength(text, 'base64');
}

function* totalSize(data: Data, sizeOf: (value: string) => number): Generator<undefined, number> {
  let total = 0;
  yield;
  // To list the values takes four times as long.
  for (const key of Object.keys(data)) {
    if (pauseIsDue()) yield;
    total += sizeOf(data[key] ?? '');
  }
  return total;
}

export function* configMap({ data = {}, binaryData = {} }: core.ConfigMap): Errors {
  for (const key of Object.keys(data)) {
    if (pauseIsDue()) yield;
    yield* formErrors(keyPath('data', key), key, configMapKeyErrors(key));
    if (Object.hasOwn(binaryData, key)) {
      yield invalidField(keyPath('data', key), key, 'duplicate of key present in binaryData');
    }
  }
  for (const key of Object.keys(binaryData)) {
    if (pauseIsDue()) yield;
    yield* formErrors(keyPath('binaryData', key), key, configMapKeyErrors(key));
  }
  const textSize = yield* totalSize(data, (text) => Buffer.byteLength(text));
  const size = textSize + (yield* totalSize(binaryData, sizeOfBase64));
  // The reference's path of the whole object.
  if (size > maxDataBytes) yield tooLongField('[]', maxDataBytes);
}

interface Sealable {
  immutable?: boolean;
  data?: unknown;
  binaryData?: unknown;
}

/** Data that has been sealed stays. */
export function* sealed(object: Sealable, old: Sealable): Errors {
  if (old.immutable !== true) return;
  const detail = 'field is immutable when `immutable` is set';
  if (object.immutable !== true) yield forbiddenField('immutable', detail);
  for (const name of ['data', 'binaryData'] as const) {
    if (!sameValue(object[name], old[name])) yield forbiddenField(name, detail);
  }
}

/** Keys that a type of secrets must have; `json` where the value is JSON; `any` where one of them will do. */
const secretTypes: {
  readonly [type: string]: { readonly keys: readonly string[]; readonly json?: true; readonly any?: true };
} = {
  'kubernetes.io/dockercfg': { keys: ['.dockercfg'], json: true },
  'kubernetes.io/dockerconfigjson': { keys: ['.dockerconfigjson'], json: true },
  'kubernetes.io/basic-auth': { keys: ['username', 'password'], any: true },
  'kubernetes.io/ssh-auth': { keys: ['ssh-privatekey'] },
  'kubernetes.io/tls': { keys: ['tls.crt', 'tls.key'] },
};

export function* secret({ data = {}, type = '', metadata }: core.Secret): Errors {
  for (const key of Object.keys(data)) {
    if (pauseIsDue()) yield;
    yield* formErrors(keyPath('data', key), key, configMapKeyErrors(key));
  }
  if ((yield* totalSize(data, sizeOfBase64)) > maxDataBytes) yield tooLongField('data', maxDataBytes);
  const account = 'kubernetes.io/service-account.name';
  if (type === 'kubernetes.io/service-account-token' && isEmpty(metadata?.annotations?.[account])) {
    yield requiredField(keyPath('metadata.annotations', account));
  }
  const rule = Object.hasOwn(secretTypes, type) ? secretTypes[type] : undefined;
  if (rule === undefined) return;
  const isMissing = (key: string) => data[key] === undefined || (type === 'kubernetes.io/ssh-auth' && data[key] === '');
  const missing = rule.keys.filter(isMissing);
  if (rule.any && missing.length < rule.keys.length) return;
  for (const key of missing) yield requiredField(keyPath('data', key));
  if (rule.json && missing.length === 0) yield* jsonObject(data, rule.keys[0] ?? '');
}

const redacted = '<secret contents redacted>';

function* jsonObject(data: Data, key: string): Errors {
  const text = Buffer.from(data[key] ?? '', 'base64').toString('utf8');
  const problem = jsonProblem(text);
  if (problem !== undefined) yield invalidField(keyPath('data', key), redacted, problem);
}

const goKinds: { readonly [type: string]: string } = { string: 'string', number: 'number', boolean: 'bool' };

function jsonProblem(text: string): string | undefined {
  if (text.trim() === '') return 'unexpected end of JSON input';
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || (typeof value === 'object' && !Array.isArray(value))) return undefined;
    const kind = Array.isArray(value) ? 'array' : goKinds[typeof value];
    return `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const first = text.trimStart()[0] ?? '';
    if (!/[[{"tfn\d-]/.test(first)) return `invalid character '${first}' looking for beginning of value`;
    return /Unexpected end|Unterminated/.test(error.message) ? 'unexpected end of JSON input' : 'invalid JSON';
  }
}

export function* secretUpdate(object: core.Secret, old: core.Secret): Errors {
  yield* immutable(object.type ?? '', old.type ?? '', 'type');
  yield* sealed(object, old);
  yield* secret(object);
}

function* finalizer(name: string, path: string): Errors {
  yield* formErrors(path, name, qualifiedNameErrors(name));
  if (name.includes('/') || ['kubernetes', 'orphan', 'foregroundDeletion'].includes(name)) return;
  yield invalidField(path, name, 'name is neither a standard finalizer name nor is it fully qualified');
}

export function* namespace({ spec }: core.Namespace): Errors {
  for (const name of spec?.finalizers ?? []) {
    if (pauseIsDue()) yield;
    yield* finalizer(name, 'spec.finalizers');
  }
}

export function* namespaceFinalize({ spec }: core.Namespace): Errors {
  for (const [index, name] of (spec?.finalizers ?? []).entries()) {
    if (pauseIsDue()) yield;
    yield* finalizer(name, keyPath('spec.finalizers', index));
  }
}

export function* namespaceStatus({ metadata, status }: core.Namespace): Errors {
  const deleted = metadata?.deletionTimestamp !== undefined;
  const expected = deleted ? 'Terminating' : 'Active';
  const phase = status?.phase ?? '';
  if (phase === expected) return;
  const detail = `may only be '${expected}' if \`deletionTimestamp\` is ${deleted ? 'not ' : ''}empty`;
  yield invalidField('status.Phase', phase, detail);
}
