import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { readIfPresent, writeWhole } from '../pki/whole-file.ts';
import type { JsonObject } from '../../api/json/json.ts';
import type { ExternalSigner } from './external-signer.ts';
import { privateKey, publicKeys, type TokenKeys, type VerifyingKey } from './keys.ts';

/** How service account tokens are issued and verified. */
export interface ServiceAccountConfig {
  /** The first is used for new tokens; all are accepted. */
  readonly issuers: readonly string[];
  /** PEM files of verification keys; empty: that of the signing key. */
  readonly keyFiles: readonly string[];
  /** PEM file; undefined: a key is generated and kept with the certificates. */
  readonly signingKeyFile: string | undefined;
  /** Socket of a process that signs tokens instead; see `ExternalSigner`. */
  readonly signingEndpoint: string | undefined;
  /** Accepted audiences; empty: the issuers. */
  readonly audiences: readonly string[];
  /** Where others find the keys; undefined: at this server. */
  readonly jwksUri: string | undefined;
  /** Legacy tokens are rejected once their secret is gone. */
  readonly lookup: boolean;
  /** Maximum lifetime; 0: as requested. */
  readonly maxExpirationSeconds: number;
  /** Tokens mounted by kubelets are valid for a year, for programs that read them only once. */
  readonly extendExpiration: boolean;
}

export const serviceAccountDefaults: ServiceAccountConfig = {
  issuers: ['https://kubernetes.default.svc.cluster.local'],
  keyFiles: [],
  signingKeyFile: undefined,
  signingEndpoint: undefined,
  audiences: [],
  jwksUri: undefined,
  lookup: true,
  maxExpirationSeconds: 0,
  extendExpiration: true,
};

export interface AccountTokensOptions {
  readonly config: ServiceAccountConfig;
  /** Where the generated key is kept. */
  readonly folder: string;
  readonly readFile: (path: string) => Promise<string>;
  /** Whether tokens can be bound to webhook configurations. */
  readonly bindsWebhooks: boolean;
  /** Signs the tokens; absent: a key of this server. */
  readonly external?: ExternalSigner | undefined;
}

/** The feature gate that enables it. */
export const webhookGate = 'APIServerWebhookAuthenticationToken';

/** Keys, issuers and audiences of service account tokens. */
export class AccountTokens {
  readonly config: ServiceAccountConfig;
  readonly #options: AccountTokensOptions;
  #keys: Promise<TokenKeys> | undefined;

  constructor(options: AccountTokensOptions) {
    this.#options = options;
    const { config, external } = options;
    const { maxExpirationSeconds: most } = config;
    this.config = most === 0 ? { ...config, maxExpirationSeconds: external?.maxExpirationSeconds ?? 0 } : config;
  }

  get bindsWebhooks(): boolean {
    return this.#options.bindsWebhooks;
  }

  get issuer(): string {
    return this.config.issuers[0] ?? '';
  }

  get audiences(): readonly string[] {
    const { audiences, issuers } = this.config;
    return audiences.length > 0 ? audiences : issuers;
  }

  /** How long extended tokens may live at most. */
  get mostSeconds(): number {
    return this.#options.external?.maxExpirationSeconds ?? Number.POSITIVE_INFINITY;
  }

  /** Reads the keys that flags name, so that a server with a bad file does not start. Throws a KeyFileError. */
  async readNamedKeys(): Promise<void> {
    const { keyFiles, signingKeyFile } = this.config;
    if (this.#options.external === undefined && (keyFiles.length > 0 || signingKeyFile !== undefined)) {
      await this.#keysOfFiles();
    }
  }

  /** A signed token with these claims. */
  async sign(claims: JsonObject): Promise<string> {
    const { external } = this.#options;
    if (external !== undefined) return external.sign(claims);
    const [{ signing }, { signToken }] = await Promise.all([this.#keysOfFiles(), import('./jws.ts')]);
    return signToken(claims, signing.key, signing.id);
  }

  /** The keys that may have signed a token with this key id; all when it is empty. */
  async verifyingKeys(id = ''): Promise<readonly VerifyingKey[]> {
    const { external } = this.#options;
    if (external !== undefined) return external.keysOf(id);
    const { verifying } = await this.#keysOfFiles();
    return id === '' ? verifying : verifying.filter((key) => key.id === id);
  }

  /** The keys with which others verify tokens. */
  async publishedKeys(): Promise<readonly VerifyingKey[]> {
    return (await this.verifyingKeys()).filter(({ isUnpublished }) => isUnpublished !== true);
  }

  /** A generated key is loaded at first use: many servers never see such a token. */
  #keysOfFiles(): Promise<TokenKeys> {
    this.#keys ??= this.#read().catch((error: unknown) => {
      this.#keys = undefined;
      throw error;
    });
    return this.#keys;
  }

  async #read(): Promise<TokenKeys> {
    const { readFile } = this.#options;
    const { keyFiles, signingKeyFile } = this.config;
    const signing =
      signingKeyFile === undefined
        ? privateKey(await this.#madeKey(), 'sa.key')
        : privateKey(await readFile(signingKeyFile), signingKeyFile);
    const read = await Promise.all(keyFiles.map(async (path) => publicKeys(await readFile(path), path)));
    const own = { id: signing.id, key: createPublicKey(signing.key) };
    return { signing, verifying: keyFiles.length === 0 ? [own] : read.flat() };
  }

  async #madeKey(): Promise<string> {
    const path = join(this.#options.folder, 'sa.key');
    const found = await readIfPresent(path);
    if (found !== undefined) return found;
    const made = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const text = made.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    await writeWhole({ path, text, mode: 0o600 });
    return text;
  }
}
