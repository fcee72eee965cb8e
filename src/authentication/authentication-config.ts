import { type ServiceAccountConfig, serviceAccountDefaults } from './service-account/account-tokens.ts';

export interface AuthenticationConfig {
  /** Whether anonymous requests are `system:anonymous` rather than answered 401. */
  readonly anonymous: boolean;
  /** The flag was set explicitly, so a file must not set it as well. */
  readonly anonymousGiven: boolean;
  /** Authorities of client certificates, in addition to the server's own. */
  readonly clientCaFile: string | undefined;
  readonly requestHeader: RequestHeaderConfig;
  readonly tokenAuthFile: string | undefined;
  /** Enables bootstrap tokens. */
  readonly bootstrapTokens: boolean;
  readonly tokenWebhook: TokenWebhookConfig;
  /** OpenID Connect issuers configured by flags. */
  readonly oidc: OidcConfig;
  /** An AuthenticationConfiguration file, instead of those flags. */
  readonly configFile: string | undefined;
  readonly serviceAccounts: ServiceAccountConfig;
}

/** An authenticating proxy, which names users in headers. */
export interface RequestHeaderConfig extends HeaderLists {
  /** PEM file of the authorities of its certificates; undefined: no proxy. */
  readonly clientCaFile: string | undefined;
  /** JSON file of the lists, followed for changes; undefined: they do not change. */
  readonly listsFile?: string;
}

export interface HeaderLists {
  /** Allowed common names of its certificate; empty: any. */
  readonly allowedNames: readonly string[];
  /** The first non-empty header counts. */
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  /** The values of all headers count. */
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

/** A token review webhook. */
export interface TokenWebhookConfig {
  /** A kubeconfig; undefined: no webhook. */
  readonly configFile: string | undefined;
  /** Below the server's URL; absent: that URL is the webhook's. */
  readonly apiPath?: string;
  /** API version of the reviews. */
  readonly version: string;
  /** The audiences that tokens must have; undefined: those of this server; empty: the webhook decides. */
  readonly audiences?: readonly string[];
  /** How long answers are cached; 0: not at all. */
  readonly cacheMs: number;
}

/** One OpenID Connect issuer. Unset strings are empty. */
export interface OidcConfig {
  /** At least one of the flags was set. */
  readonly isGiven: boolean;
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly caFile: string | undefined;
  readonly usernameClaim: string;
  /** `-`: no prefix. */
  readonly usernamePrefix: string;
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
  readonly signingAlgs: readonly string[];
  readonly requiredClaims: ReadonlyMap<string, string>;
}

/** The defaults of kube-apiserver. */
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
