import type { Authenticator, Identity, PresentedToken } from '../../api/contracts/authentication.ts';
import type { Client } from '../../api/client/client.ts';
import type { Clock } from '../../api/time/clock.ts';
import { joinedErrors } from '../../api/text/error-texts.ts';
import { pathSegmentErrors } from '../../api/meta/names.ts';
import { goQuote, goQuoteList } from '../../api/go/go-quote.ts';
import { isAfter, isBefore } from '../../api/time/go-time.ts';
import { goPrint } from '../../api/json/go-print.ts';
import type { JsonTree } from '../../api/json/json-tree.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import type { StoredObjects } from '../../api/contracts/stored-objects.ts';
import { tokenRefusal } from '../token-refusal.ts';
import { accountUser, accountUserName } from './account-users.ts';
import { type AccountTokens, webhookGate } from './account-tokens.ts';
import { accountNotFound, uidOf } from './account-objects.ts';
import {
  type AccountClaims,
  type BoundReference,
  claimsOf,
  legacyClaimsOf,
  legacyIssuer,
  reviewedGroupsKey,
} from './claims.ts';
import { LegacyTokens } from './legacy-tokens.ts';
import { type TokenMetrics, tokenMetrics } from './token-metrics.ts';

/** Tolerated clock skew. */
const leewayMs = 60_000;

export interface TokenVerifierOptions {
  readonly tokens: AccountTokens;
  readonly stored: StoredObjects;
  readonly clock: Clock;
  readonly client: () => Client;
  readonly metric: PartContext['metric'];
  readonly onError: (error: unknown) => void;
}

/** Dependencies of token verification. */
interface Verifier extends Pick<TokenVerifierOptions, 'tokens' | 'stored' | 'clock'> {
  readonly metrics: TokenMetrics;
  readonly legacy: LegacyTokens;
}

/** Authenticates by service account tokens, bound and legacy. Tokens of other issuers are ignored. */
export function accountTokenAuthenticator(options: TokenVerifierOptions): Authenticator<PresentedToken> {
  const { config } = options.tokens;
  const metrics = tokenMetrics(options.metric);
  const verifier: Verifier = { ...options, metrics, legacy: new LegacyTokens({ ...options, metrics }) };
  const issuers = new Set(config.issuers);
  const verify = async (shown: PresentedToken): Promise<Identity | undefined> => {
    // Loaded for the first token: many servers never see one.
    const { untrustedIssuer } = await import('./jws.ts');
    const issuer = untrustedIssuer(shown.token);
    if (issuer === legacyIssuer) return verifyLegacy(verifier, shown);
    return issuer !== undefined && issuers.has(issuer) ? verifyBound(verifier, issuers, shown) : undefined;
  };
  return {
    authenticate: (shown) => (isCompact(shown.token) ? verify(shown) : undefined),
  };
}

/** Has the parts of a JWS in compact form. */
function isCompact(token: string): boolean {
  return token.split('.', 4).length === 3;
}

async function verifyBound(
  options: Verifier,
  issuers: ReadonlySet<string>,
  shown: PresentedToken,
): Promise<Identity | undefined> {
  const claims = await signedClaims(options, shown, claimsOf);
  if (claims === undefined) return undefined;
  checkIssuer(claims.issuer, issuers);
  const audiences = checkAudiences(options, claims.audiences, shown);
  checkTimes(claims, options.clock.now());
  await checkObjects(options, claims);
  const { warnAfter = 0n } = claims;
  const isStale = warnAfter !== 0n && isBefore(warnAfter, options.clock.now());
  options.metrics[isStale ? 'stale' : 'valid'].add();
  return { user: accountUser(reviewOnly(claims)), audiences, ...(isStale ? staleAnnotation(claims, options) : {}) };
}

function staleAnnotation({ namespace, account, warnAfter = 0n }: AccountClaims, { clock }: Verifier) {
  const seconds = BigInt(Math.floor(clock.now() / 1_000)) - warnAfter;
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

/** The claims of a signed token; undefined for what is no token. Throws a 401. */
async function signedClaims<Claims>(
  { tokens }: Verifier,
  { token }: PresentedToken,
  claimsIn: (payload: JsonTree) => Claims,
): Promise<Claims | undefined> {
  const { parseIfToken, readSigned } = await import('./jws.ts');
  const parsed = parseIfToken(token);
  if (parsed === undefined) return undefined;
  const keys = await tokens.verifyingKeys(parsed.keyId);
  if (keys.length === 0) throw tokenRefusal('invalid signature, no keys found');
  const problems: string[] = [];
  for (const { key } of keys) {
    const read = readSigned(parsed, key, claimsIn);
    if (read.problem === undefined) return read.value;
    problems.push(read.problem);
  }
  throw tokenRefusal(joinedErrors(problems));
}

/** It has been read in another way before the signature was verified. */
function checkIssuer(issuer: string, issuers: ReadonlySet<string>): void {
  if (!issuers.has(issuer)) throw tokenRefusal(`token issuer ${goQuote(issuer)} is invalid`);
}

/** The requested audiences that the token is valid for. A token without audiences is for the server. */
function checkAudiences(
  { tokens, metrics }: Verifier,
  claimed: readonly string[],
  { audiences }: PresentedToken,
): readonly string[] {
  const own = tokens.audiences;
  const requested = audiences.length === 0 ? own : audiences;
  if (claimed.length === 0) metrics.legacy.add();
  const meant = claimed.length === 0 ? own : claimed;
  const both = requested.filter((audience) => meant.includes(audience));
  if (both.length > 0 || own.length === 0) return both;
  throw tokenRefusal(
    `token audiences ${goQuoteList(meant)} is invalid for the target audiences ${goQuoteList(requested)}`,
  );
}

function checkTimes({ expires, notBefore, issuedAt }: AccountClaims, nowMs: number): void {
  const isLater = (seconds: bigint): boolean => isAfter(seconds, nowMs + leewayMs);
  if (notBefore !== undefined && isLater(notBefore)) throw tokenRefusal('service account token is not valid yet');
  if (expires !== undefined && isBefore(expires, nowMs - leewayMs)) {
    throw tokenRefusal('service account token has expired');
  }
  if (issuedAt !== undefined && isLater(issuedAt)) throw tokenRefusal('service account token is issued in the future');
}

const accounts = { group: '', version: 'v1', plural: 'serviceaccounts' };

/** The service account and the bound object must exist. */
async function checkObjects(options: Verifier, claims: AccountClaims): Promise<void> {
  const { namespace, account, pod, secret, node } = claims;
  const { stored, clock } = options;
  const deletedBefore = clock.now() - leewayMs;
  checkPath(namespace, account.name);
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

/** The errors of Go's client, which finds the account if it is not cached. */
function checkPath(namespace: string, name: string): void {
  const [badNamespace, badName] = [pathSegmentErrors(namespace), pathSegmentErrors(name)];
  if (badNamespace.length > 0) throw tokenRefusal(`invalid namespace ${goQuote(namespace)}: ${goPrint(badNamespace)}`);
  if (name === '') throw tokenRefusal('resource name may not be empty');
  if (badName.length > 0) throw tokenRefusal(`invalid resource name ${goQuote(name)}: ${goPrint(badName)}`);
  if (namespace === '') throw tokenRefusal('the server could not find the requested resource');
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
async function verifyLegacy(options: Verifier, shown: PresentedToken): Promise<Identity | undefined> {
  const claims = await signedClaims(options, shown, legacyClaimsOf);
  if (claims === undefined) return undefined;
  checkIssuer(claims.issuer, new Set([legacyIssuer]));
  const audiences = checkAudiences(options, claims.audiences, shown);
  const identity = await options.legacy.identify(claims, shown.token);
  const annotations = { 'authentication.k8s.io/legacy-token': claims.subject };
  return { ...identity, audiences, annotations: { ...identity.annotations, ...annotations } };
}
