import { accountUserName } from './account-users.ts';
import type { AccountTokens } from './account-tokens.ts';
import { type BoundReference, legacyIssuer } from './claims.ts';

export interface WantedLegacyToken {
  readonly namespace: string;
  readonly account: BoundReference;
  readonly secret: string;
}

/** A signed token that is valid as long as its secret exists. */
export function legacyToken(tokens: AccountTokens, { namespace, account, secret }: WantedLegacyToken): Promise<string> {
  const claims = {
    iss: legacyIssuer,
    'kubernetes.io/serviceaccount/namespace': namespace,
    'kubernetes.io/serviceaccount/secret.name': secret,
    'kubernetes.io/serviceaccount/service-account.name': account.name,
    'kubernetes.io/serviceaccount/service-account.uid': account.uid,
    sub: accountUserName(namespace, account.name),
  };
  return tokens.sign(claims);
}
