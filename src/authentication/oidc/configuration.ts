import { type ConfigKind, flag, listOf, objectOf, readConfigObject, text } from '../../codec/config-file.ts';

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

const prefixed = objectOf('PrefixedClaimOrExpression', { claim: text, prefix: text, expression: text }, ['prefix']);

const jwt = objectOf('JWTAuthenticator', {
  issuer: objectOf('Issuer', {
    ...{ url: text, discoveryURL: text, certificateAuthority: text, audiences: listOf(text) },
    ...{ audienceMatchPolicy: text, egressSelectorType: text },
  }),
  claimValidationRules: listOf(
    objectOf('ClaimValidationRule', { claim: text, requiredValue: text, expression: text, message: text }),
  ),
  claimMappings: objectOf('ClaimMappings', {
    username: prefixed,
    groups: prefixed,
    uid: objectOf('ClaimOrExpression', { claim: text, expression: text }),
    extra: listOf(objectOf('ExtraMapping', { key: text, valueExpression: text })),
  }),
  userValidationRules: listOf(objectOf('UserValidationRule', { expression: text, message: text })),
});

const kind: ConfigKind = {
  kind: 'AuthenticationConfiguration',
  group: 'apiserver.config.k8s.io',
  versions: ['v1', 'v1beta1', 'v1alpha1'],
  schema: objectOf(
    'AuthenticationConfiguration',
    {
      ...{ kind: text, apiVersion: text, jwt: listOf(jwt) },
      anonymous: objectOf('AnonymousAuthConfig', {
        enabled: flag,
        conditions: listOf(objectOf('AnonymousAuthCondition', { path: text })),
      }),
    },
    ['anonymous'],
  ),
};

/** Throws a ConfigFileError. */
export function readConfiguration(file: string): AuthenticationConfiguration {
  // Decoded by the schema.
  return readConfigObject(file, kind) as AuthenticationConfiguration;
}
