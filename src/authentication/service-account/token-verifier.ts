import { timingSafeEqual } from 'node:crypto';
import type { Authenticator, Identity, PresentedToken } from '../../api/authentication.ts';
import type { Clock } from '../../api/clock.ts';
import { joinedErrors } from '../../api/error-texts.ts';
import { goQuoteList } from '../../api/go-quote.ts';
import type { JsonObject } from '../../api/json.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { notFound } from '../../api/status-errors.ts';
import type { StoredObjects } from '../../api/stored-objects.ts';
import { tokenRefusal } from '../token-refusal.ts';
import { accountUser, accountUserName } from './account-users.ts';
import type { AccountTokens } from './account-tokens.ts';
import { type AccountClaims, type BoundReference, claimsOf, legacyClaimsOf, legacyIssuer } from './claims.ts';
import { parseToken, type ParsedToken, verifyToken } from './jws.ts';

/** For clocks that differ. */
const leewayMs = 60_000;

export interface TokenVerifierOptions {
  readonly tokens: AccountTokens;
  readonly stored: StoredObjects;
  readonly clock: Clock;
}

/** Users by service account tokens: bound ones, and those that are kept in secrets. Tokens of other issuers are nothing to it. */
export function accountTokenAuthenticator(options: TokenVerifierOptions): Authenticator<PresentedToken> {
  const { config } = options.tokens;
  const issuers = new Set(config.issuers);
  return {
    authenticate(shown) {
      const parsed = parseToken(shown.token);
      const issuer = parsed?.payload['iss'];
      if (parsed === undefined || typeof issuer !== 'string') return undefined;
      if (issuer === legacyIssuer) return verifyLegacy(options, parsed, shown);
      return issuers.has(issuer) ? verifyBound(options, parsed, shown) : undefined;
    },
  };
}

async function verifyBound(
  options: TokenVerifierOptions,
  parsed: ParsedToken,
  shown: PresentedToken,
): Promise<Identity> {
  await checkSignature(options, parsed);
  checkDates(parsed.payload);
  const claims = claimsOf(parsed.payload);
  const audiences = checkAudiences(options, claims.audiences, shown);
  checkTimes(claims, options.clock.now());
  await checkObjects(options, claims);
  const { namespace, account, pod, node, id } = claims;
  return { user: accountUser({ namespace, account, pod, node, id }), audiences };
}

async function checkSignature({ tokens }: TokenVerifierOptions, parsed: ParsedToken): Promise<void> {
  const { verifying } = await tokens.keys();
  const keys = parsed.keyId === '' ? verifying : verifying.filter(({ id }) => id === parsed.keyId);
  if (keys.length === 0) throw tokenRefusal('invalid signature, no keys found');
  if (keys.some(({ key }) => verifyToken(parsed, key))) return;
  throw tokenRefusal(joinedErrors(keys.map(() => 'go-jose/go-jose: error in cryptographic primitive')));
}

/** Those of the audiences asked for that the token is meant for. A token without any is meant for the server. */
function checkAudiences(
  { tokens }: TokenVerifierOptions,
  claimed: readonly string[],
  { audiences }: PresentedToken,
): readonly string[] {
  const own = tokens.audiences;
  const asked = audiences.length === 0 ? own : audiences;
  const meant = claimed.length === 0 ? own : claimed;
  const both = meant.filter((audience) => asked.includes(audience));
  if (both.length > 0 || own.length === 0) return both;
  throw tokenRefusal(`token audiences ${goQuoteList(meant)} is invalid for the target audiences ${goQuoteList(asked)}`);
}

function checkDates(payload: JsonObject): void {
  for (const name of ['exp', 'nbf', 'iat']) {
    const value = payload[name];
    if (value === undefined || value === null || typeof value === 'number') continue;
    throw tokenRefusal('go-jose/go-jose/jwt: expected number value to unmarshal NumericDate');
  }
}

function checkTimes({ expires, notBefore, issuedAt }: AccountClaims, nowMs: number): void {
  const earliest = (nowMs - leewayMs) / 1_000;
  const latest = (nowMs + leewayMs) / 1_000;
  if (notBefore !== undefined && latest < notBefore) throw tokenRefusal('service account token is not valid yet');
  if (expires !== undefined && earliest > expires) throw tokenRefusal('service account token has expired');
  if (issuedAt !== undefined && latest < issuedAt) throw tokenRefusal('service account token is issued in the future');
}

const core = (plural: string) => ({ group: '', version: 'v1', plural });

/** The account must be there, and what the token is bound to. */
async function checkObjects(options: TokenVerifierOptions, claims: AccountClaims): Promise<void> {
  const { namespace, account, pod, secret, node } = claims;
  const { stored, clock } = options;
  const deletedBefore = clock.now() - leewayMs;
  const found = await stored.get(core('serviceaccounts'), { namespace, name: account.name });
  if (found === undefined) throw tokenRefusal(accountNotFound(account.name));
  if (uidOf(found) !== account.uid) {
    throw tokenRefusal(`service account UID (${uidOf(found)}) does not match claim (${account.uid})`);
  }
  if (isGone(found, deletedBefore)) throw tokenRefusal(`service account ${namespace}/${account.name} has been deleted`);
  const check = (kind: BoundKind, reference: BoundReference | undefined): Promise<void> =>
    checkBound(options, { ...kind, namespace }, { reference, deletedBefore });
  await check(boundKinds.secret, secret);
  await check(boundKinds.pod, pod);
  // What a token says of the node of its pod is said, not checked: the pod may outlive the node.
  if (pod === undefined) await check(boundKinds.node, node);
}

interface BoundKind {
  readonly plural: string;
  readonly word: string;
  readonly namespaced: boolean;
}

const boundKinds = {
  secret: { plural: 'secrets', word: 'secret', namespaced: true },
  pod: { plural: 'pods', word: 'pod', namespaced: true },
  node: { plural: 'nodes', word: 'node', namespaced: false },
} as const satisfies { readonly [name: string]: BoundKind };

async function checkBound(
  { stored }: TokenVerifierOptions,
  { plural, word, namespaced, namespace }: BoundKind & { readonly namespace: string },
  { reference, deletedBefore }: { readonly reference: BoundReference | undefined; readonly deletedBefore: number },
): Promise<void> {
  if (reference === undefined) return;
  const { name, uid } = reference;
  const found = await stored.get(core(plural), { namespace: namespaced ? namespace : '', name });
  if (found === undefined) throw tokenRefusal('service account token has been invalidated');
  if (uidOf(found) !== uid) {
    throw tokenRefusal(`${word} UID (${uidOf(found)}) does not match service account ${word} ref claim (${uid})`);
  }
  if (isGone(found, deletedBefore)) throw tokenRefusal('service account token has been invalidated');
}

function accountNotFound(name: string): string {
  return notFound({ group: '', resource: 'serviceaccounts' }, name).message;
}

function uidOf({ metadata }: Readonly<KubernetesObject>): string {
  return metadata.uid ?? '';
}

/** Deleted, and not only being deleted. */
function isGone({ metadata }: Readonly<KubernetesObject>, before: number): boolean {
  return metadata.deletionTimestamp !== undefined && Date.parse(metadata.deletionTimestamp) < before;
}

async function verifyLegacy(
  options: TokenVerifierOptions,
  parsed: ParsedToken,
  shown: PresentedToken,
): Promise<Identity> {
  await checkSignature(options, parsed);
  const audiences = checkAudiences(options, claimsOf(parsed.payload).audiences, shown);
  const { subject, namespace, secret, account } = legacyClaimsOf(parsed.payload);
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
  if (options.tokens.config.lookup) await lookUp(options, { namespace, secret, account, token: shown.token });
  return { user: accountUser({ namespace, account }), audiences };
}

const invalidSince = 'kubernetes.io/legacy-token-invalid-since';

/** A token of a secret holds as long as the secret has it. */
async function lookUp(
  { stored }: TokenVerifierOptions,
  {
    namespace,
    secret,
    account,
    token,
  }: { readonly namespace: string; readonly secret: string; readonly account: BoundReference; readonly token: string },
): Promise<void> {
  const kept = await stored.get(core('secrets'), { namespace, name: secret });
  if (kept === undefined || kept.metadata.deletionTimestamp !== undefined)
    throw tokenRefusal('Token has been invalidated');
  const { token: data } = (kept['data'] ?? {}) as { readonly token?: unknown };
  if (typeof data !== 'string' || !equalBytes(Buffer.from(data, 'base64'), Buffer.from(token))) {
    throw tokenRefusal("Token does not match server's copy");
  }
  const found = await stored.get(core('serviceaccounts'), { namespace, name: account.name });
  if (found === undefined) throw tokenRefusal(accountNotFound(account.name));
  if (found.metadata.deletionTimestamp !== undefined) {
    throw tokenRefusal(`ServiceAccount ${namespace}/${account.name} has been deleted`);
  }
  if (uidOf(found) !== account.uid) {
    throw tokenRefusal(`ServiceAccount UID (${uidOf(found)}) does not match claim (${account.uid})`);
  }
  if ((kept.metadata.labels?.[invalidSince] ?? '') !== '') {
    throw tokenRefusal(
      `the token in secret ${namespace}/${secret} for service account ${namespace}/${account.name} has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the '${invalidSince}' label from the secret to temporarily allow use of this token`,
    );
  }
}

/** Takes the same time wherever they differ. */
function equalBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
