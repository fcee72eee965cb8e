import { type ServiceAccountConfig, serviceAccountDefaults } from './service-account/account-tokens.ts';

export interface AuthenticationConfig {
  /** Anonymous requests are `system:anonymous`; otherwise they are answered 401. */
  readonly anonymous: boolean;
  /** Authorities of client certificates, besides the server's own. */
  readonly clientCaFile: string | undefined;
  readonly requestHeader: RequestHeaderConfig;
  readonly tokenAuthFile: string | undefined;
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
  serviceAccounts: serviceAccountDefaults,
};
