import { ConfigError } from '../../api/errors/config-error.ts';
import { parseDuration } from '../../api/time/duration.ts';
import { joinedErrors } from '../../api/text/error-texts.ts';
import { fieldErrorText } from '../../api/errors/field-error.ts';
import { ConfigurationDocumentError, readConfigurationDocument } from '../../codec/configuration-document.ts';
import { ExpressionError } from '../../cel/compile-expression.ts';
import { compileMatchCondition, prepareConditions } from '../webhook/compile-match-condition.ts';
import type { AuthorizerSpec, WebhookSpec } from './authorizer-spec.ts';
import {
  type AuthorizationConfiguration,
  type AuthorizerConfiguration,
  configurationSchema,
  type WebhookConfiguration,
} from './configuration-schema.ts';
import { configurationErrors } from './configuration-validation.ts';

/** An invalid `--authorization-config` file; the message says why. */
export class AuthorizationFileError extends ConfigError {
  override readonly code = 'AUTHORIZATION_FILE';
}

export interface ConfigurationOptions {
  /** Known types. */
  readonly types: readonly string[];
  /** Required types. */
  readonly required: readonly string[];
}

/** The configured authorizers, in order. Throws an AuthorizationFileError. */
export async function parseConfiguration(
  text: string,
  { types, required }: ConfigurationOptions,
): Promise<readonly AuthorizerSpec[]> {
  const configuration = await decode(text);
  await prepareConditions();
  const errors = await configurationErrors(configuration, { types, conditionProblem });
  if (errors.length > 0) throw new AuthorizationFileError(joinedErrors(errors.map(fieldErrorText)));
  const { authorizers = [] } = configuration;
  const builtIn = authorizers.filter(({ type }) => type !== 'Webhook');
  const problems = builtIn.flatMap(nameProblem);
  const missing = required.filter((type) => builtIn.every((authorizer) => authorizer.type !== type));
  if (missing.length > 0) problems.push(`missing required types: [${missing.toSorted().join(' ')}]`);
  if (problems.length > 0) throw new AuthorizationFileError(joinedErrors(problems));
  return authorizers.map(specOf);
}

/** Types that can exist only once have fixed names in reasons and metrics. */
function nameProblem({ type = '', name = '' }: AuthorizerConfiguration): readonly string[] {
  const expected = type.toLowerCase();
  return name === expected ? [] : [`expected name ${expected} for authorizer ${type} instead of ${name}`];
}

function conditionProblem(expression: string): string | undefined {
  try {
    compileMatchCondition(expression);
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}

const versions: readonly string[] = ['v1', 'v1beta1', 'v1alpha1'].map(
  (version) => `apiserver.config.k8s.io/${version}`,
);

async function decode(text: string): Promise<AuthorizationConfiguration> {
  if (text === '') return {};
  const form = { kind: 'AuthorizationConfiguration', versions, schema: configurationSchema };
  try {
    const { object } = readConfigurationDocument(text, form);
    return object as AuthorizationConfiguration; // read by its schema
  } catch (error) {
    if (!(error instanceof ConfigurationDocumentError)) throw error;
    throw new AuthorizationFileError(`failed to load AuthorizationConfiguration from file: ${error.message}`);
  }
}

function specOf({ type = '', name = '', webhook }: AuthorizerConfiguration): AuthorizerSpec {
  return { type, name, ...(webhook === undefined ? {} : { webhook: webhookSpec(webhook) }) };
}

/** Throws an AuthorizationFileError for input on which the reference panics. */
function webhookSpec(webhook: WebhookConfiguration): WebhookSpec {
  const { authorizedTTL, unauthorizedTTL, timeout, connectionInfo, matchConditions = [] } = webhook;
  const { cacheAuthorizedRequests = true, cacheUnauthorizedRequests = true } = webhook;
  const { kubeConfigFile } = connectionInfo ?? {};
  if (kubeConfigFile === undefined)
    throw new AuthorizationFileError('connectionInfo.type InClusterConfig is not supported in an API server');
  return {
    authorizedTtlMs: cacheAuthorizedRequests ? milliseconds(authorizedTTL) || 300_000 : 0,
    unauthorizedTtlMs: cacheUnauthorizedRequests ? milliseconds(unauthorizedTTL) || 30_000 : 0,
    timeoutMs: milliseconds(timeout),
    reviewVersion: webhook.subjectAccessReviewVersion ?? '',
    failurePolicy: webhook.failurePolicy === 'Deny' ? 'Deny' : 'NoOpinion',
    kubeconfigFile: kubeConfigFile,
    matchConditions: matchConditions.map(({ expression = '' }) => expression),
  };
}

function milliseconds(text: string | undefined): number {
  return Number(parseDuration(text ?? '0') / 1_000_000n);
}
