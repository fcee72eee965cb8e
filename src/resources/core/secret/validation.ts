import { invalidField, keyPath, requiredField, tooLongField } from '../../../api/errors/field-error.ts';
import { configMapKeyErrors } from '../../../api/meta/names.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { objectProblem } from '../../parts/rules/json-text.ts';
import { type Errors, formErrors, immutable, isEmpty } from '../../parts/rules/rules.ts';
import { type Data, maxDataBytes, sealed, sizeOfBase64, totalSize } from '../stored-data.ts';

/** Keys required by the secret types; `json` if the value must be JSON; `any` if one of them suffices. */
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
    yield* formErrors(keyPath('data', key), key, configMapKeyErrors(key));
  }
  if (totalSize(data, sizeOfBase64) > maxDataBytes) yield tooLongField('data', maxDataBytes);
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
  const problem = objectProblem(Buffer.from(data[key] ?? '', 'base64'));
  if (problem !== undefined) yield invalidField(keyPath('data', key), redacted, problem);
}

export function* secretUpdate(object: core.Secret, old: core.Secret): Errors {
  yield* immutable(object.type ?? '', old.type ?? '', 'type');
  yield* sealed(object, old);
  yield* secret(object);
}
