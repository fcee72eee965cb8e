import { goInt64 } from '../../api/time/go-time.ts';
import { hugeNumberIn, JsonNumber, type JsonTree } from '../../api/json/json-tree.ts';
import { goList, goMap, goOwn, goPointer, goStruct, goText } from '../../codec/go/go-types.ts';
import { GoDecodeError } from '../../codec/go/go-values.ts';
import { decodeJose } from './jose-values.ts';

/** An object that a token is bound to. */
export interface BoundReference {
  readonly name: string;
  readonly uid: string;
}

/** The claims that the server reads. */
export interface AccountClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly string[];
  /** Seconds since the epoch. */
  readonly expires: bigint | undefined;
  readonly notBefore: bigint | undefined;
  readonly issuedAt: bigint | undefined;
  readonly id: string;
  /** When a client should have reread the token, which is still valid. */
  readonly warnAfter: bigint | undefined;
  readonly namespace: string;
  readonly account: BoundReference;
  readonly pod: BoundReference | undefined;
  readonly secret: BoundReference | undefined;
  readonly node: BoundReference | undefined;
  readonly validatingWebhook: BoundReference | undefined;
  readonly mutatingWebhook: BoundReference | undefined;
  /** API groups whose admission reviews a webhook-bound token is for. */
  readonly reviewedGroups: readonly string[];
}

/** Attestation key of webhook-bound tokens. */
export const reviewedGroupsKey = 'admissionReviewAPIGroups';

/** Issuer of legacy tokens, which are stored in secrets. */
export const legacyIssuer = 'kubernetes/serviceaccount';

const text = goText();

/** Seconds since the epoch, without a fraction. */
const numericDate = goOwn('jwt.NumericDate', 0n, (tree) => {
  const seconds = tree instanceof JsonNumber ? Number(tree.text) : Number.NaN;
  if (!Number.isFinite(seconds)) {
    throw new GoDecodeError('go-jose/go-jose/jwt: expected number value to unmarshal NumericDate');
  }
  return goInt64(seconds);
});

const audience = goOwn<readonly string[]>('jwt.Audience', [], (tree) => {
  const huge = hugeNumberIn(tree);
  if (huge !== undefined) {
    throw new GoDecodeError(`json: cannot unmarshal number ${huge} into Go value of type float64`);
  }
  if (typeof tree === 'string') return [tree];
  if (Array.isArray(tree) && tree.every((each) => typeof each === 'string')) return tree;
  throw new GoDecodeError('go-jose/go-jose/jwt: expected string or array value to unmarshal to Audience');
});

const date = goPointer(numericDate);

const publicClaims = goStruct('jwt.Claims', {
  iss: text,
  sub: text,
  aud: audience,
  exp: date,
  nbf: date,
  iat: date,
  jti: text,
});

const reference = goStruct('serviceaccount.ref', { name: text, uid: text });
const bound = goPointer(reference);

const privateClaims = goStruct('serviceaccount.privateClaims', {
  'kubernetes.io': goStruct('serviceaccount.kubernetes', {
    namespace: text,
    serviceaccount: reference,
    pod: bound,
    secret: bound,
    node: bound,
    validatingwebhookconfiguration: bound,
    mutatingwebhookconfiguration: bound,
    attestations: goMap(goList(text, 'authentication.AttestationValue')),
    warnafter: date,
  }),
});

/** Throws a GoDecodeError. */
export function claimsOf(payload: JsonTree): AccountClaims {
  const { iss, sub, aud, exp, nbf, iat, jti } = decodeJose(publicClaims, payload);
  const { 'kubernetes.io': own } = decodeJose(privateClaims, payload);
  return {
    issuer: iss,
    subject: sub,
    audiences: aud,
    id: jti,
    expires: exp,
    notBefore: nbf,
    issuedAt: iat,
    warnAfter: own.warnafter,
    namespace: own.namespace,
    account: own.serviceaccount,
    pod: own.pod,
    secret: own.secret,
    node: own.node,
    validatingWebhook: own.validatingwebhookconfiguration,
    mutatingWebhook: own.mutatingwebhookconfiguration,
    reviewedGroups: own.attestations.get(reviewedGroupsKey) ?? [],
  };
}

/** Claims of legacy tokens. */
export interface LegacyClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly string[];
  readonly namespace: string;
  readonly secret: string;
  readonly account: BoundReference;
}

const legacyClaims = goStruct('serviceaccount.legacyPrivateClaims', {
  'kubernetes.io/serviceaccount/service-account.name': text,
  'kubernetes.io/serviceaccount/service-account.uid': text,
  'kubernetes.io/serviceaccount/secret.name': text,
  'kubernetes.io/serviceaccount/namespace': text,
});

/** Throws a GoDecodeError. */
export function legacyClaimsOf(payload: JsonTree): LegacyClaims {
  const { iss, sub, aud } = decodeJose(publicClaims, payload);
  const own = decodeJose(legacyClaims, payload);
  return {
    issuer: iss,
    subject: sub,
    audiences: aud,
    namespace: own['kubernetes.io/serviceaccount/namespace'],
    secret: own['kubernetes.io/serviceaccount/secret.name'],
    account: {
      name: own['kubernetes.io/serviceaccount/service-account.name'],
      uid: own['kubernetes.io/serviceaccount/service-account.uid'],
    },
  };
}
