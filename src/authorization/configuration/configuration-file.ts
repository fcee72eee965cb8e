import { ConfigError } from '../../api/config-error.ts';
import { parseDuration } from '../../api/duration.ts';
import { joinedErrors } from '../../api/error-texts.ts';
import { fieldErrorText } from '../../api/field-error.ts';
import { goQuote } from '../../api/go-quote.ts';
import { isJsonObject, type JsonObject } from '../../api/json.ts';
import { inTurns } from '../../api/turns.ts';
import { jsonSerializer } from '../../codec/json-serializer.ts';
import { BodySyntaxError, type Serializer } from '../../codec/serializer.ts';
import { yamlSerializer } from '../../codec/yaml-serializer.ts';
import { DecodeError } from '../../schema/decode-errors.ts';
import { readTyped } from '../../schema/decode.ts';
import { compileCondition, MatchConditionError, prepareConditions } from '../webhook/compile-condition.ts';
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
    compileCondition(expression);
    return undefined;
  } catch (error) {
    if (error instanceof MatchConditionError) return error.message;
    throw error;
  }
}

const group = 'apiserver.config.k8s.io';
const versions: readonly string[] = ['v1', 'v1beta1', 'v1alpha1'].map((version) => `${group}/${version}`);
const kind = 'AuthorizationConfiguration';
/** The reference's list of known types. */
const scheme = 'pkg/runtime/scheme.go:111';

function serializerOf(text: string): Serializer {
  return text.trimStart().startsWith('{') ? jsonSerializer : yamlSerializer;
}

async function decode(text: string): Promise<AuthorizationConfiguration> {
  const refuse = (why: string): AuthorizationFileError =>
    new AuthorizationFileError(`failed to load AuthorizationConfiguration from file: ${why}`);
  if (text === '') return {};
  try {
    const { source, strictErrors: duplicates } = await inTurns(serializerOf(text).decode(Buffer.from(text)));
    const document = isJsonObject(source.value) ? source.value : {};
    const [named, apiVersion] = [textOf(document, 'kind'), textOf(document, 'apiVersion')];
    const shown = text.trim();
    if (named === '') throw refuse(`Object 'Kind' is missing in '${shown}'`);
    if (apiVersion === '') throw refuse(`Object 'apiVersion' is missing in '${shown}'`);
    if (named !== kind || !versions.includes(apiVersion))
      throw refuse(
        `no kind ${goQuote(named)} is registered for version ${goQuote(apiVersion)} in scheme ${goQuote(scheme)}`,
      );
    const { object, strictErrors } = await inTurns(readTyped(configurationSchema, source));
    const strict = [...duplicates, ...strictErrors];
    if (strict.length > 0) throw refuse(`strict decoding error: ${strict.join(', ')}`);
    return object as AuthorizationConfiguration; // decoded by its schema
  } catch (error) {
    throw error instanceof BodySyntaxError || error instanceof DecodeError ? refuse(error.message) : error;
  }
}

function textOf(document: JsonObject, field: string): string {
  const value = document[field];
  return typeof value === 'string' ? value : '';
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
    throw new AuthorizationFileError('connectionInfo.type InClusterConfig is not for the API server itself');
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
