import { ConfigError } from '../../api/errors/config-error.ts';
import {
  ConfigurationDocumentError,
  type ConfigurationForm,
  readConfigurationDocument,
} from '../../codec/configuration-document.ts';
import { field, flag, list, struct, text } from '../../schema/plain-schema.ts';

/** `AuthenticationConfiguration` of `apiserver.config.k8s.io/v1`. */
export interface AuthenticationConfiguration {
  readonly jwt?: readonly JwtAuthenticator[];
  readonly anonymous?: AnonymousSection;
}

/** Anonymous authentication. */
export interface AnonymousSection {
  readonly enabled?: boolean;
  /** The paths that it is limited to; empty: all. */
  readonly conditions?: readonly { readonly path?: string }[];
}

/** An issuer of tokens, and how its claims map to a user. */
export interface JwtAuthenticator {
  readonly issuer?: Issuer;
  readonly claimValidationRules?: readonly ClaimValidationRule[];
  readonly claimMappings?: ClaimMappings;
  readonly userValidationRules?: readonly UserValidationRule[];
}

export interface Issuer {
  readonly url?: string;
  readonly discoveryURL?: string;
  /** PEM. */
  readonly certificateAuthority?: string;
  readonly audiences?: readonly string[];
  readonly audienceMatchPolicy?: string;
  readonly egressSelectorType?: string;
}

/** Either a claim with its required value or an expression. */
export interface ClaimValidationRule {
  readonly claim?: string;
  readonly requiredValue?: string;
  readonly expression?: string;
  readonly message?: string;
}

export interface UserValidationRule {
  readonly expression?: string;
  readonly message?: string;
}

export interface ClaimMappings {
  readonly username?: ClaimMapping;
  readonly groups?: ClaimMapping;
  readonly uid?: Omit<ClaimMapping, 'prefix'>;
  readonly extra?: readonly ExtraMapping[];
}

/** Either a claim or an expression. */
export interface ClaimMapping {
  readonly claim?: string;
  readonly prefix?: string;
  readonly expression?: string;
}

export interface ExtraMapping {
  readonly key?: string;
  readonly valueExpression?: string;
}

const [claim, expression] = [field('claim', text), field('expression', text)];
const prefixed = struct('PrefixedClaimOrExpression', [claim, field('prefix', text, true), expression]);

const issuer = struct('Issuer', [
  ...['url', 'discoveryURL', 'certificateAuthority', 'audienceMatchPolicy', 'egressSelectorType'].map((name) =>
    field(name, text),
  ),
  field('audiences', list(text)),
]);

const jwt = struct('JWTAuthenticator', [
  field('issuer', issuer),
  field(
    'claimValidationRules',
    list(struct('ClaimValidationRule', [claim, field('requiredValue', text), expression, field('message', text)])),
  ),
  field(
    'claimMappings',
    struct('ClaimMappings', [
      field('username', prefixed),
      field('groups', prefixed),
      field('uid', struct('ClaimOrExpression', [claim, expression])),
      field(
        'extra',
        list(
          struct(
            'ExtraMapping',
            ['key', 'valueExpression'].map((name) => field(name, text)),
          ),
        ),
      ),
    ]),
  ),
  field('userValidationRules', list(struct('UserValidationRule', [expression, field('message', text)]))),
]);

const anonymous = struct('AnonymousAuthConfig', [
  field('enabled', flag),
  field('conditions', list(struct('AnonymousAuthCondition', [field('path', text)]))),
]);

const form: ConfigurationForm = {
  kind: 'AuthenticationConfiguration',
  versions: ['v1', 'v1beta1', 'v1alpha1'].map((version) => `apiserver.config.k8s.io/${version}`),
  schema: struct('AuthenticationConfiguration', [
    ...['kind', 'apiVersion'].map((name) => field(name, text)),
    field('jwt', list(jwt)),
    field('anonymous', anonymous, true),
  ]),
};

/** An invalid configuration. */
export class AuthenticationFileError extends ConfigError {
  override readonly name = 'AuthenticationFileError';
  override readonly code = 'AUTHENTICATION_FILE';
}

/** Throws an AuthenticationFileError. */
export async function readConfiguration(file: string): Promise<AuthenticationConfiguration> {
  if (file === '') throw new AuthenticationFileError('empty config data');
  try {
    const { object } = readConfigurationDocument(file, form);
    return object as AuthenticationConfiguration; // decoded by its schema
  } catch (error) {
    throw error instanceof ConfigurationDocumentError ? new AuthenticationFileError(error.message) : error;
  }
}
