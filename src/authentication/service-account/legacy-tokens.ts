import type { Identity } from '../../api/authentication.ts';
import type { Client } from '../../api/client.ts';
import type { Clock } from '../../api/clock.ts';
import type { JsonObject, JsonValue } from '../../api/json.ts';
import { isJsonObject } from '../../api/json.ts';
import { cloneObject, type KubernetesObject } from '../../api/object.ts';
import { isReason } from '../../api/status.ts';
import type { StoredObjects } from '../../api/stored-objects.ts';
import { equalSecrets } from '../equal-secrets.ts';
import { tokenRefusal } from '../token-refusal.ts';
import { accountNotFound, uidOf } from './account-objects.ts';
import type { AccountTokens } from './account-tokens.ts';
import { accountUser, accountUserName } from './account-users.ts';
import { type LegacyClaims, legacyClaimsOf } from './claims.ts';
import type { TokenMeasures } from './token-measures.ts';

const secrets = { group: '', version: 'v1', plural: 'secrets' };
const accounts = { group: '', version: 'v1', plural: 'serviceaccounts' };
const invalidSince = 'kubernetes.io/legacy-token-invalid-since';
const lastUsed = 'kubernetes.io/legacy-token-last-used';
const dayMs = 86_400_000;
const generatedWarning =
  'Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.';

export interface LegacyTokensOptions {
  readonly tokens: AccountTokens;
  readonly stored: StoredObjects;
  readonly clock: Clock;
  readonly client: () => Client;
  readonly onError: (error: unknown) => void;
  readonly measures: TokenMeasures;
}

type Stored = Readonly<KubernetesObject>;

/** Legacy tokens, valid for as long as their secret holds them. */
export class LegacyTokens {
  readonly #options: LegacyTokensOptions;

  constructor(options: LegacyTokensOptions) {
    this.#options = options;
  }

  /** Throws a 401. */
  async identify(payload: JsonObject, token: string): Promise<Identity> {
    const claims = legacyClaimsOf(payload);
    checkClaims(claims);
    const { namespace, account } = claims;
    const user = accountUser({ namespace, account });
    if (!this.#options.tokens.config.lookup) return { user };
    const warnings = await this.#lookUp(claims, token);
    return { user, warnings };
  }

  async #lookUp(claims: LegacyClaims, token: string): Promise<readonly string[]> {
    const { stored, measures } = this.#options;
    const { namespace, account } = claims;
    const secret = await stored.get(secrets, { namespace, name: claims.secret });
    if (secret === undefined || secret.metadata.deletionTimestamp !== undefined) {
      throw tokenRefusal('Token has been invalidated');
    }
    if (!equalSecrets(tokenOf(secret), token)) throw tokenRefusal("Token does not match server's copy");
    const found = await stored.get(accounts, { namespace, name: account.name });
    checkAccount(found, claims);
    if ((secret.metadata.labels?.[invalidSince] ?? '') !== '') {
      measures.invalid.add();
      this.#noteUse(secret);
      throw tokenRefusal(invalidText(claims));
    }
    const isGenerated = listed(found?.['secrets']).includes(claims.secret);
    measures[isGenerated ? 'generated' : 'manual'].add();
    this.#noteUse(secret);
    return isGenerated ? [generatedWarning] : [];
  }

  /** Labels the secret with the day of its last use, in the background. */
  #noteUse(secret: Stored): void {
    const { clock, client, onError } = this.#options;
    const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
    const today = day(clock.now());
    const noted = secret.metadata.labels?.[lastUsed];
    // The clock of another server may be ahead.
    if (noted === today || noted === day(clock.now() + dayMs)) return;
    const labelled = cloneObject(secret);
    labelled.metadata.labels = { ...labelled.metadata.labels, [lastUsed]: today };
    client()
      .update({ group: '', version: 'v1', resource: 'secrets' }, labelled)
      .catch((error: unknown) => {
        // Changed concurrently: the next use labels it.
        if (!isReason(error, 'Conflict') && !isReason(error, 'NotFound')) onError(error);
      });
  }
}

function checkClaims({ subject, namespace, secret, account }: LegacyClaims): void {
  const missing: readonly (readonly [name: string, value: string])[] = [
    ['sub', subject],
    ['namespace', namespace],
    ['secretName', secret],
    ['serviceAccountName', account.name],
    ['serviceAccountUID', account.uid],
  ];
  const [absent] = missing.find(([, value]) => value === '') ?? [];
  if (absent !== undefined) throw tokenRefusal(`${absent} claim is missing`);
  if (subject !== accountUserName(namespace, account.name)) throw tokenRefusal('sub claim is invalid');
}

function checkAccount(found: Stored | undefined, { namespace, account }: LegacyClaims): void {
  if (found === undefined) throw tokenRefusal(accountNotFound(account.name));
  if (found.metadata.deletionTimestamp !== undefined) {
    throw tokenRefusal(`ServiceAccount ${namespace}/${account.name} has been deleted`);
  }
  if (uidOf(found) !== account.uid) {
    throw tokenRefusal(`ServiceAccount UID (${uidOf(found)}) does not match claim (${account.uid})`);
  }
}

function tokenOf(secret: Stored): string {
  const { token } = (secret['data'] ?? {}) as { readonly token?: unknown };
  return typeof token === 'string' ? Buffer.from(token, 'base64').toString() : '';
}

/** Names of the secrets that an account lists. */
function listed(references: unknown): readonly string[] {
  const items = (Array.isArray(references) ? references : []) as readonly JsonValue[];
  return items.flatMap((item) => (isJsonObject(item) && typeof item['name'] === 'string' ? [item['name']] : []));
}

function invalidText({ namespace, secret, account }: LegacyClaims): string {
  return `the token in secret ${namespace}/${secret} for service account ${namespace}/${account.name} has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the '${invalidSince}' label from the secret to temporarily allow use of this token`;
}
