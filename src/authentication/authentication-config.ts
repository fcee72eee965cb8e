import { type ServiceAccountConfig, serviceAccountDefaults } from './service-account/account-tokens.ts';

export interface AuthenticationConfig {
  /** Anonymous requests are `system:anonymous`; otherwise they are answered 401. */
  readonly anonymous: boolean;
  /** Authorities of client certificates, besides the server's own. */
  readonly clientCaFile: string | undefined;
  readonly requestHeader: RequestHeaderConfig;
  readonly tokenAuthFile: string | undefined;
  /** Nodes may join with tokens that are kept in secrets. */
  readonly bootstrapTokens: boolean;
  readonly tokenWebhook: TokenWebhookConfig;
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

/** As kube-apiserver without flags. */
export const authenticationDefaults: AuthenticationConfig = {
  anonymous: true,
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
  tokenWebhook: { configFile: undefined, version: 'v1beta1', cacheMs: 120_000 },
  serviceAccounts: serviceAccountDefaults,
};
