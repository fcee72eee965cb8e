import type { JsonObject, JsonValue } from '../../api/json.ts';
import { isJsonObject } from '../../api/json.ts';

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
  readonly expires: number | undefined;
  readonly notBefore: number | undefined;
  readonly issuedAt: number | undefined;
  readonly id: string;
  /** When a client should have reread the token, which is still valid. */
  readonly warnAfter: number | undefined;
  readonly namespace: string;
  readonly account: BoundReference;
  readonly pod: BoundReference | undefined;
  readonly secret: BoundReference | undefined;
  readonly node: BoundReference | undefined;
}

/** Issuer of legacy tokens, which are stored in secrets. */
export const legacyIssuer = 'kubernetes/serviceaccount';

export function claimsOf(payload: JsonObject): AccountClaims {
  const own = objectOf(payload['kubernetes.io']);
  const { aud } = payload;
  return {
    issuer: textOf(payload['iss']),
    subject: textOf(payload['sub']),
    audiences: (Array.isArray(aud) ? aud : aud === undefined ? [] : [aud]).map(textOf),
    expires: numberOf(payload['exp']),
    notBefore: numberOf(payload['nbf']),
    issuedAt: numberOf(payload['iat']),
    id: textOf(payload['jti']),
    warnAfter: numberOf(own['warnafter']),
    namespace: textOf(own['namespace']),
    account: referenceOf(own['serviceaccount']) ?? { name: '', uid: '' },
    pod: referenceOf(own['pod']),
    secret: referenceOf(own['secret']),
    node: referenceOf(own['node']),
  };
}

/** Claims of legacy tokens. */
export interface LegacyClaims {
  readonly subject: string;
  readonly namespace: string;
  readonly secret: string;
  readonly account: BoundReference;
}

export function legacyClaimsOf(payload: JsonObject): LegacyClaims {
  const own = (name: string): string => textOf(payload[`kubernetes.io/serviceaccount/${name}`]);
  return {
    subject: textOf(payload['sub']),
    namespace: own('namespace'),
    secret: own('secret.name'),
    account: { name: own('service-account.name'), uid: own('service-account.uid') },
  };
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function referenceOf(value: JsonValue | undefined): BoundReference | undefined {
  if (value === undefined || !isJsonObject(value)) return undefined;
  return { name: textOf(value['name']), uid: textOf(value['uid']) };
}
