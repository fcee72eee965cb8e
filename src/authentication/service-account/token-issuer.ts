import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../api/json/json.ts';
import { accountUserName } from './account-users.ts';
import type { AccountTokens } from './account-tokens.ts';
import type { BoundReference } from './claims.ts';

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
  readonly validatingWebhook?: BoundReference;
  readonly mutatingWebhook?: BoundReference;
  readonly attestations?: JsonObject;
}

export interface IssuedToken {
  /** Signed. */
  readonly token: string;
  readonly id: string;
}

export async function issueToken(tokens: AccountTokens, wanted: WantedToken, nowMs: number): Promise<IssuedToken> {
  const now = Math.floor(nowMs / 1_000);
  const { namespace, account, audiences, expirationSeconds, pod, secret, node, attestations } = wanted;
  const isExtended =
    tokens.config.extendExpiration &&
    pod !== undefined &&
    expirationSeconds === mountedSeconds &&
    audiences.every((audience) => tokens.audiences.includes(audience));
  const id = randomUUID();
  const claims: JsonObject = {
    aud: [...audiences],
    exp: now + (isExtended ? Math.min(extendedSeconds, tokens.mostSeconds) : expirationSeconds),
    iat: now,
    iss: tokens.issuer,
    jti: id,
    'kubernetes.io': {
      ...(attestations === undefined ? {} : { attestations }),
      ...named('mutatingwebhookconfiguration', wanted.mutatingWebhook),
      namespace,
      ...named('node', node),
      ...named('pod', pod),
      ...named('secret', secret),
      ...named('serviceaccount', account),
      ...named('validatingwebhookconfiguration', wanted.validatingWebhook),
      ...(isExtended ? { warnafter: now + mountedSeconds } : {}),
    },
    nbf: now,
    sub: accountUserName(namespace, account.name),
  };
  return { token: await tokens.sign(claims), id };
}

function named(claim: string, reference: BoundReference | undefined): JsonObject {
  if (reference === undefined) return {};
  const { name, uid } = reference;
  return { [claim]: { name, ...(uid === '' ? {} : { uid }) } };
}
