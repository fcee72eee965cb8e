import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { formatDuration, parseDuration } from '../../api/time/duration.ts';
import {
  duplicateField,
  type FieldError,
  invalidField,
  keyPath,
  notSupportedField,
  requiredField,
  tooManyField,
} from '../../api/errors/field-error.ts';
import { dnsSubdomainErrors } from '../../api/meta/names.ts';
import type { AuthorizationConfiguration, WebhookConfiguration } from './configuration-schema.ts';

export interface ValidationOptions {
  /** Modes as `--authorization-mode` names them. */
  readonly types: readonly string[];
  /** The compile error of a match condition. */
  readonly conditionProblem: (expression: string) => string | undefined;
}

/** Validates a configuration, with the reference's texts and order. */
export async function configurationErrors(
  { authorizers = [] }: AuthorizationConfiguration,
  options: ValidationOptions,
): Promise<readonly FieldError[]> {
  if (authorizers.length === 0)
    return [requiredField('authorizers', 'at least one authorization mode must be defined')];
  const errors: FieldError[] = [];
  const types = new Set<string>();
  const names = new Set<string>();
  for (const [index, { type = '', name = '', webhook }] of authorizers.entries()) {
    const path = keyPath('authorizers', index);
    const problem = typeError(`${path}.type`, type, { known: options.types, seen: types });
    if (problem !== undefined) {
      errors.push(problem);
      continue;
    }
    types.add(type);
    errors.push(...nameErrors(`${path}.name`, name, names));
    names.add(name);
    if (type !== 'Webhook') {
      if (webhook !== undefined)
        errors.push(invalidField(`${path}.webhook`, 'non-null', 'may only be specified when type=Webhook'));
    } else if (webhook === undefined) errors.push(requiredField(`${path}.webhook`, 'required when type=Webhook'));
    // The reference reports webhook fields under the authorizer's path.
    // oxlint-disable-next-line no-await-in-loop -- there are few of them
    else errors.push(...(await webhookErrors(path, webhook, options)));
  }
  return errors;
}

function typeError(
  path: string,
  type: string,
  { known, seen }: { readonly known: readonly string[]; readonly seen: ReadonlySet<string> },
): FieldError | undefined {
  if (type === '') return requiredField(path);
  if (!known.includes(type)) return notSupportedField(path, type, known.toSorted());
  return seen.has(type) && type !== 'Webhook' ? duplicateField(path, type) : undefined;
}

function nameErrors(path: string, name: string, seen: ReadonlySet<string>): readonly FieldError[] {
  if (name === '') return [requiredField(path)];
  if (seen.has(name)) return [duplicateField(path, name)];
  const problems = dnsSubdomainErrors(name);
  return problems.length === 0 ? [] : [invalidField(path, name, `authorizer name is invalid: ${problems.join(', ')}`)];
}

async function webhookErrors(
  path: string,
  webhook: WebhookConfiguration,
  { conditionProblem }: ValidationOptions,
): Promise<readonly FieldError[]> {
  const { authorizedTTL, unauthorizedTTL, timeout, matchConditions = [] } = webhook;
  return [
    ...timeoutErrors(`${path}.timeout`, timeout),
    ...ttlErrors(`${path}.authorizedTTL`, authorizedTTL),
    ...ttlErrors(`${path}.unauthorizedTTL`, unauthorizedTTL),
    ...choiceErrors(`${path}.subjectAccessReviewVersion`, webhook.subjectAccessReviewVersion, ['v1', 'v1beta1']),
    ...conditionVersionErrors(`${path}.matchConditionSubjectAccessReviewVersion`, webhook),
    ...choiceErrors(`${path}.failurePolicy`, webhook.failurePolicy, ['NoOpinion', 'Deny']),
    ...(await connectionErrors(`${path}.connectionInfo`, webhook.connectionInfo ?? {})),
    ...conditionErrors(
      `${path}.matchConditions`,
      matchConditions.map(({ expression = '' }) => expression),
      conditionProblem,
    ),
  ];
}

const maxTimeout = 30_000_000_000n;

function timeoutErrors(path: string, text: string | undefined): readonly FieldError[] {
  const timeout = parseDuration(text ?? '0');
  if (timeout === 0n) return [requiredField(path)];
  const isWithin = timeout > 0n && timeout <= maxTimeout;
  return isWithin ? [] : [invalidField(path, formatDuration(timeout), 'must be > 0s and <= 30s')];
}

/** Optional: it has a default. */
function ttlErrors(path: string, text: string | undefined): readonly FieldError[] {
  const ttl = parseDuration(text ?? '0');
  return ttl < 0n ? [invalidField(path, formatDuration(ttl), 'must be > 0s')] : [];
}

function choiceErrors(path: string, value: string | undefined, choices: readonly string[]): readonly FieldError[] {
  if (value === undefined || value === '') return [requiredField(path)];
  return choices.includes(value) ? [] : [notSupportedField(path, value, choices)];
}

function conditionVersionErrors(
  path: string,
  { matchConditionSubjectAccessReviewVersion: version = '', matchConditions = [] }: WebhookConfiguration,
): readonly FieldError[] {
  if (version !== '') return choiceErrors(path, version, ['v1']);
  return matchConditions.length === 0 ? [] : [requiredField(path, 'required if match conditions are specified')];
}

const inCluster = 'InClusterConfig';
const byFile = 'KubeConfigFile';

async function connectionErrors(
  path: string,
  { type = '', kubeConfigFile }: NonNullable<WebhookConfiguration['connectionInfo']>,
): Promise<readonly FieldError[]> {
  const file = `${path}.kubeConfigFile`;
  if (type === '') return [requiredField(`${path}.type`)];
  if (type === inCluster) {
    return kubeConfigFile === undefined
      ? []
      : [invalidField(file, kubeConfigFile, 'can only be set when type=KubeConfigFile')];
  }
  if (type !== byFile) {
    const shown = { Type: type, KubeConfigFile: kubeConfigFile ?? null };
    return [notSupportedField(`${path}.type`, shown, [inCluster, byFile])];
  }
  if (kubeConfigFile === undefined || kubeConfigFile === '') return [requiredField(file)];
  const problem = await fileProblem(kubeConfigFile);
  return problem === undefined ? [] : [invalidField(file, kubeConfigFile, problem)];
}

/** As Linux words them. */
const fileErrors: { readonly [code: string]: string } = {
  ENOENT: 'no such file or directory',
  ENOTDIR: 'not a directory',
  EACCES: 'permission denied',
  ELOOP: 'too many levels of symbolic links',
  ENAMETOOLONG: 'file name too long',
  ERR_INVALID_ARG_VALUE: 'invalid argument',
};

async function fileProblem(path: string): Promise<string | undefined> {
  if (!isAbsolute(path)) return 'must be an absolute path';
  try {
    return (await stat(path)).isFile() ? undefined : 'must be a regular file';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return `error loading file: stat ${path}: ${fileErrors[code] ?? code}`;
  }
}

const maxConditions = 64;

function conditionErrors(
  path: string,
  expressions: readonly string[],
  problemOf: ValidationOptions['conditionProblem'],
): readonly FieldError[] {
  if (expressions.length > maxConditions) return [tooManyField(path, expressions.length, maxConditions)];
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, expression] of expressions.entries()) {
    const at = `${keyPath(path, index)}.expression`;
    if (expression.trim() === '') errors.push(requiredField(at));
    else if (seen.has(expression)) errors.push(duplicateField(at, expression));
    else {
      seen.add(expression);
      const problem = problemOf(expression);
      if (problem !== undefined) errors.push(invalidField(at, expression, problem));
    }
  }
  return errors;
}
