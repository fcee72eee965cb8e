import { duration, field, flag, list, struct, text } from '../../schema/plain-schema.ts';
import type { Schema } from '../../schema/schema.ts';

/** The schema of AuthorizationConfiguration, the same in all versions of `apiserver.config.k8s.io`. */

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
