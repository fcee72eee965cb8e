import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../api/json.ts';
import { accountUserName } from './account-users.ts';
import type { AccountTokens } from './account-tokens.ts';
import type { BoundReference } from './claims.ts';
import { signToken } from './jws.ts';

/** Lifetime that kubelets request for mounted tokens; older programs never reread them. */
const mountedSeconds = 3_607;
const extendedSeconds = 365 * 24 * 3_600;

export interface WantedToken {
  readonly namespace: string;
  readonly account: BoundReference;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly pod?: BoundReference;
  readonly secret?: BoundReference;
  readonly node?: BoundReference;
}

/** A signed token. */
export async function issueToken(tokens: AccountTokens, wanted: WantedToken, nowMs: number): Promise<string> {
  const { signing } = await tokens.keys();
  const now = Math.floor(nowMs / 1_000);
  const { namespace, account, audiences, expirationSeconds, pod, secret, node } = wanted;
  const isExtended =
    tokens.config.extendExpiration &&
    pod !== undefined &&
    expirationSeconds === mountedSeconds &&
    audiences.every((audience) => tokens.audiences.includes(audience));
  const claims: JsonObject = {
    aud: [...audiences],
    exp: now + (isExtended ? extendedSeconds : expirationSeconds),
    iat: now,
    iss: tokens.issuer,
    jti: randomUUID(),
    'kubernetes.io': {
      namespace,
      ...(node === undefined ? {} : { node: shown(node) }),
      ...(pod === undefined ? {} : { pod: shown(pod) }),
      ...(secret === undefined ? {} : { secret: shown(secret) }),
      serviceaccount: shown(account),
      ...(isExtended ? { warnafter: now + mountedSeconds } : {}),
    },
    nbf: now,
    sub: accountUserName(namespace, account.name),
  };
  return signToken(claims, signing.key, signing.id);
}

function shown({ name, uid }: BoundReference): JsonObject {
  return { name, ...(uid === '' ? {} : { uid }) };
}
