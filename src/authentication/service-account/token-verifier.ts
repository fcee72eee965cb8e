import type { Authenticator, Identity, PresentedToken } from '../../api/authentication.ts';
import type { Client } from '../../api/client.ts';
import type { Clock } from '../../api/clock.ts';
import { joinedErrors } from '../../api/error-texts.ts';
import { goQuote, goQuoteList } from '../../api/go-quote.ts';
import type { JsonObject } from '../../api/json.ts';
import type { KubernetesObject } from '../../api/object.ts';
import type { PartContext } from '../../api/part.ts';
import type { StoredObjects } from '../../api/stored-objects.ts';
import { tokenRefusal } from '../token-refusal.ts';
import { accountUser, accountUserName } from './account-users.ts';
import { type AccountTokens, webhookGate } from './account-tokens.ts';
import { accountNotFound, uidOf } from './account-objects.ts';
import { type AccountClaims, type BoundReference, claimsOf, legacyIssuer, reviewedGroupsKey } from './claims.ts';
import { LegacyTokens } from './legacy-tokens.ts';
import { type TokenMeasures, tokenMeasures } from './token-measures.ts';
import type { ParsedToken } from './jws.ts';

/** Tolerated clock skew. */
const leewayMs = 60_000;

export interface TokenVerifierOptions {
  readonly tokens: AccountTokens;
  readonly stored: StoredObjects;
  readonly clock: Clock;
  readonly client: () => Client;
  readonly measure: PartContext['measure'];
  readonly onError: (error: unknown) => void;
}

/** Dependencies of token verification. */
interface Verifier extends Pick<TokenVerifierOptions, 'tokens' | 'stored' | 'clock'> {
  readonly measures: TokenMeasures;
  readonly legacy: LegacyTokens;
}

/** Authenticates by service account tokens, bound and legacy. Tokens of other issuers are ignored. */
export function accountTokenAuthenticator(options: TokenVerifierOptions): Authenticator<PresentedToken> {
  const { config } = options.tokens;
  const measures = tokenMeasures(options.measure);
  const verifier: Verifier = { ...options, measures, legacy: new LegacyTokens({ ...options, measures }) };
  const issuers = new Set(config.issuers);
  const verify = async (shown: PresentedToken): Promise<Identity | undefined> => {
    // Loaded for the first token: many servers never see one.
    const { parseToken } = await import('./jws.ts');
    const parsed = parseToken(shown.token);
    const issuer = parsed?.payload['iss'];
    if (parsed === undefined || typeof issuer !== 'string') return undefined;
    if (issuer === legacyIssuer) return verifyLegacy(verifier, parsed, shown);
    return issuers.has(issuer) ? verifyBound(verifier, parsed, shown) : undefined;
  };
  return {
    authenticate: (shown) => (isCompact(shown.token) ? verify(shown) : undefined),
  };
}

/** Has the parts of a JWS in compact form. */
function isCompact(token: string): boolean {
  return token.split('.', 4).length === 3;
}

async function verifyBound(options: Verifier, parsed: ParsedToken, shown: PresentedToken): Promise<Identity> {
  await checkSignature(options, parsed);
  checkDates(parsed.payload);
  const claims = claimsOf(parsed.payload);
  const audiences = checkAudiences(options, claims.audiences, shown);
  checkTimes(claims, options.clock.now());
  await checkObjects(options, claims);
  const isStale = claims.warnAfter !== undefined && claims.warnAfter * 1_000 < options.clock.now();
  options.measures[isStale ? 'stale' : 'valid'].add();
  return { user: accountUser(reviewOnly(claims)), audiences, ...(isStale ? staleAnnotation(claims, options) : {}) };
}

function staleAnnotation({ namespace, account, warnAfter = 0 }: AccountClaims, { clock }: Verifier) {
  const seconds = Math.floor(clock.now() / 1_000) - warnAfter;
  const subject = accountUserName(namespace, account.name);
  const text = `subject: ${subject}, seconds after warning threshold: ${seconds}`;
  return { annotations: { 'authentication.k8s.io/stale-token': text } };
}

/** Only who is bound to a webhook is for reviews. */
function reviewOnly(claims: AccountClaims): AccountClaims {
  return isOfWebhook(claims) ? claims : { ...claims, reviewedGroups: [] };
}

function isOfWebhook({ validatingWebhook, mutatingWebhook }: AccountClaims): boolean {
  return validatingWebhook !== undefined || mutatingWebhook !== undefined;
}

async function checkSignature({ tokens }: Verifier, parsed: ParsedToken): Promise<void> {
  const [keys, { verifyToken }] = await Promise.all([tokens.verifyingKeys(parsed.keyId), import('./jws.ts')]);
  if (keys.length === 0) throw tokenRefusal('invalid signature, no keys found');
  const verified = await Promise.all(keys.map(({ key }) => verifyToken(parsed, key)));
  if (verified.includes(true)) return;
  throw tokenRefusal(joinedErrors(keys.map(() => 'go-jose/go-jose: error in cryptographic primitive')));
}

/** The requested audiences that the token is valid for. A token without audiences is for the server. */
function checkAudiences(
  { tokens, measures }: Verifier,
  claimed: readonly string[],
  { audiences }: PresentedToken,
): readonly string[] {
  const own = tokens.audiences;
  const asked = audiences.length === 0 ? own : audiences;
  if (claimed.length === 0) measures.legacy.add();
  const meant = claimed.length === 0 ? own : claimed;
  const both = asked.filter((audience) => meant.includes(audience));
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

const accounts = { group: '', version: 'v1', plural: 'serviceaccounts' };

/** The service account and the bound object must exist. */
async function checkObjects(options: Verifier, claims: AccountClaims): Promise<void> {
  const { namespace, account, pod, secret, node } = claims;
  const { stored, clock } = options;
  const deletedBefore = clock.now() - leewayMs;
  const found = await stored.get(accounts, { namespace, name: account.name });
  if (found === undefined) throw tokenRefusal(accountNotFound(account.name));
  if (uidOf(found) !== account.uid) {
    throw tokenRefusal(`service account UID (${uidOf(found)}) does not match claim (${account.uid})`);
  }
  if (isGone(found, deletedBefore)) throw tokenRefusal(`service account ${namespace}/${account.name} has been deleted`);
  const check = (kind: BoundKind, reference: BoundReference | undefined): Promise<void> =>
    checkBound(options, { ...kind, namespace }, { reference, deletedBefore });
  await check(boundKinds.secret, secret);
  await check(boundKinds.pod, pod);
  // The node of a pod-bound token is reported, not verified: the pod may outlive the node.
  if (pod === undefined) await check(boundKinds.node, node);
  if (!isOfWebhook(claims)) return;
  if (!options.tokens.bindsWebhooks) {
    throw tokenRefusal(`feature gate ${goQuote(webhookGate)} is disabled, but token is webhook bound`);
  }
  if (claims.reviewedGroups.length === 0) {
    throw tokenRefusal(`bound object was a webhook config, but ${goQuote(reviewedGroupsKey)} attestation is missing`);
  }
  await check(boundKinds.validatingWebhook, claims.validatingWebhook);
  await check(boundKinds.mutatingWebhook, claims.mutatingWebhook);
}

interface BoundKind {
  readonly group?: string;
  readonly plural: string;
  readonly word: string;
  /** What the claim is called, where it is not the word. */
  readonly claim?: string;
  readonly namespaced: boolean;
}

const ofWebhooks = { group: 'admissionregistration.k8s.io', claim: 'validating', namespaced: false };

const boundKinds = {
  secret: { plural: 'secrets', word: 'secret', namespaced: true },
  pod: { plural: 'pods', word: 'pod', namespaced: true },
  node: { plural: 'nodes', word: 'node', namespaced: false },
  validatingWebhook: {
    ...ofWebhooks,
    plural: 'validatingwebhookconfigurations',
    word: 'ValidatingWebhookConfiguration',
  },
  mutatingWebhook: { ...ofWebhooks, plural: 'mutatingwebhookconfigurations', word: 'MutatingWebhookConfiguration' },
} as const satisfies { readonly [name: string]: BoundKind };

async function checkBound(
  { stored }: Verifier,
  { group = '', plural, word, claim = word, namespaced, namespace }: BoundKind & { readonly namespace: string },
  { reference, deletedBefore }: { readonly reference: BoundReference | undefined; readonly deletedBefore: number },
): Promise<void> {
  if (reference === undefined) return;
  const { name, uid } = reference;
  const found = await stored.get({ group, version: 'v1', plural }, { namespace: namespaced ? namespace : '', name });
  if (found === undefined) throw tokenRefusal('service account token has been invalidated');
  if (uidOf(found) !== uid) {
    throw tokenRefusal(`${word} UID (${uidOf(found)}) does not match service account ${claim} ref claim (${uid})`);
  }
  if (isGone(found, deletedBefore)) throw tokenRefusal('service account token has been invalidated');
}

/** Gone, not merely terminating. */
function isGone({ metadata }: Readonly<KubernetesObject>, before: number): boolean {
  return metadata.deletionTimestamp !== undefined && Date.parse(metadata.deletionTimestamp) < before;
}

/** A legacy token. */
async function verifyLegacy(options: Verifier, parsed: ParsedToken, shown: PresentedToken): Promise<Identity> {
  await checkSignature(options, parsed);
  checkDates(parsed.payload);
  const audiences = checkAudiences(options, claimsOf(parsed.payload).audiences, shown);
  const identity = await options.legacy.identify(parsed.payload, shown.token);
  const { sub } = parsed.payload;
  const annotations = { 'authentication.k8s.io/legacy-token': typeof sub === 'string' ? sub : '' };
  return { ...identity, audiences, annotations: { ...identity.annotations, ...annotations } };
}
