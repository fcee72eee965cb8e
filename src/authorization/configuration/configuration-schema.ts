import type { Field, Schema } from '../../schema/schema.ts';

/** The schema of AuthorizationConfiguration, the same in all versions of `apiserver.config.k8s.io`. */

const text: Schema = { type: 'string', goType: 'string' };
const flag: Schema = { type: 'boolean', goType: 'bool' };
const duration: Schema = { type: 'string', format: 'duration', goType: 'v1.Duration' };

function struct(goName: string, fields: readonly Field[]): Schema {
  const structure = { goName, fields: new Map(fields.map((field) => [field.name, field])) };
  return { type: 'object', goType: `v1.${goName}`, structure };
}

function field(name: string, schema: Schema, pointer = false): Field {
  return { name, schema, pointer, required: false, omit: 'empty' };
}

function list(items: Schema): Schema {
  return { type: 'array', goType: `[]${items.goType}`, items };
}

const webhook = struct('WebhookConfiguration', [
  field('authorizedTTL', duration),
  field('cacheAuthorizedRequests', flag, true),
  field('unauthorizedTTL', duration),
  field('cacheUnauthorizedRequests', flag, true),
  field('timeout', duration),
  field('subjectAccessReviewVersion', text),
  field('matchConditionSubjectAccessReviewVersion', text),
  field('failurePolicy', text),
  field('connectionInfo', struct('WebhookConnectionInfo', [field('type', text), field('kubeConfigFile', text, true)])),
  field('matchConditions', list(struct('WebhookMatchCondition', [field('expression', text)]))),
]);

const authorizer = struct('AuthorizerConfiguration', [
  field('type', text),
  field('name', text),
  field('webhook', webhook, true),
]);

export const configurationSchema: Schema = struct('AuthorizationConfiguration', [
  field('kind', text),
  field('apiVersion', text),
  field('authorizers', list(authorizer)),
]);

/** The decoded form. */
export interface AuthorizationConfiguration {
  readonly authorizers?: readonly AuthorizerConfiguration[];
}

export interface AuthorizerConfiguration {
  readonly type?: string;
  readonly name?: string;
  readonly webhook?: WebhookConfiguration;
}

export interface WebhookConfiguration {
  readonly authorizedTTL?: string;
  readonly cacheAuthorizedRequests?: boolean;
  readonly unauthorizedTTL?: string;
  readonly cacheUnauthorizedRequests?: boolean;
  readonly timeout?: string;
  readonly subjectAccessReviewVersion?: string;
  readonly matchConditionSubjectAccessReviewVersion?: string;
  readonly failurePolicy?: string;
  readonly connectionInfo?: { readonly type?: string; readonly kubeConfigFile?: string };
  readonly matchConditions?: readonly { readonly expression?: string }[];
}
