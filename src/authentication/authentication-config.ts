import { type ServiceAccountConfig, serviceAccountDefaults } from './service-account/account-tokens.ts';

export interface AuthenticationConfig {
  /** Anonymous requests are `system:anonymous`; otherwise they are answered 401. */
  readonly anonymous: boolean;
  /** It was said, so that no file may say it. */
  readonly anonymousGiven: boolean;
  /** Authorities of client certificates, besides the server's own. */
  readonly clientCaFile: string | undefined;
  readonly requestHeader: RequestHeaderConfig;
  readonly tokenAuthFile: string | undefined;
  /** Nodes may join with tokens that are kept in secrets. */
  readonly bootstrapTokens: boolean;
  readonly tokenWebhook: TokenWebhookConfig;
  /** Issuers of OpenID Connect by flags. */
  readonly oidc: OidcConfig;
  /** An AuthenticationConfiguration, in place of those flags. */
  readonly configFile: string | undefined;
  readonly serviceAccounts: ServiceAccountConfig;
}

/** A proxy that authenticates users, and names them in headers. */
export interface RequestHeaderConfig {
  /** PEM file of the authorities of its certificates; undefined: there is no such proxy. */
  readonly clientCaFile: string | undefined;
  /** Common names that its certificate may have; empty: any. */
  readonly allowedNames: readonly string[];
  /** The first header that says something counts. */
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  /** All values of all of them count. */
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

/** Somebody outside who knows tokens. */
export interface TokenWebhookConfig {
  /** A kubeconfig; undefined: nobody. */
  readonly configFile: string | undefined;
  /** Of the reviews that are sent. */
  readonly version: string;
  /** How long answers are remembered; 0: not at all. */
  readonly cacheMs: number;
}

/** One issuer of OpenID Connect. Texts that nobody has given are empty. */
export interface OidcConfig {
  /** Any of the flags was given. */
  readonly isGiven: boolean;
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly caFile: string | undefined;
  readonly usernameClaim: string;
  /** `-`: none. */
  readonly usernamePrefix: string;
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
  readonly signingAlgs: readonly string[];
  readonly requiredClaims: ReadonlyMap<string, string>;
}

/** As kube-apiserver without flags. */
export const authenticationDefaults: AuthenticationConfig = {
  anonymous: true,
  anonymousGiven: false,
  clientCaFile: undefined,
  requestHeader: {
    clientCaFile: undefined,
    allowedNames: [],
    usernameHeaders: [],
    uidHeaders: [],
    groupHeaders: [],
    extraHeaderPrefixes: [],
  },
  tokenAuthFile: undefined,
  bootstrapTokens: false,
  oidc: {
    isGiven: false,
    issuerUrl: '',
    clientId: '',
    caFile: undefined,
    usernameClaim: 'sub',
    usernamePrefix: '',
    groupsClaim: '',
    groupsPrefix: '',
    signingAlgs: ['RS256'],
    requiredClaims: new Map(),
  },
  configFile: undefined,
  tokenWebhook: { configFile: undefined, version: 'v1beta1', cacheMs: 120_000 },
  serviceAccounts: serviceAccountDefaults,
};
