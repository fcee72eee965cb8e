import type { Authorizer } from '../../api/contracts/authorization.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { StoredObjects } from '../../api/contracts/stored-objects.ts';
import type { AccountTokens } from '../../authentication/service-account/account-tokens.ts';
import type { BoundReference } from '../../authentication/service-account/claims.ts';
import type { WantedToken } from '../../authentication/service-account/token-issuer.ts';
import type { CompleteSpec } from './token-request-validation.ts';

export type Stored = Readonly<KubernetesObject>;

/** What a token is bound to, and what follows from it. */
export interface Bound extends Pick<
  WantedToken,
  'pod' | 'secret' | 'node' | 'validatingWebhook' | 'mutatingWebhook' | 'attestations'
> {
  /** The token lasts no longer, whatever is asked for. */
  readonly mostSeconds?: number;
}

export interface BindingParts {
  readonly tokens: AccountTokens;
  readonly stored: StoredObjects;
  readonly authorizer: Authorizer;
  readonly nowMs: number;
}

export interface WantedBinding {
  readonly name: string;
  readonly spec: CompleteSpec;
}

/** A kind that tokens can be bound to. */
export interface BinderRow {
  /** Where the object stands in what `bind` answers. */
  readonly key: 'pod' | 'secret' | 'node' | 'validatingWebhook' | 'mutatingWebhook';
  readonly bind: (parts: BindingParts, account: Stored, wanted: WantedBinding) => Promise<Bound>;
}

export function referenceTo({ metadata: { name = '', uid = '' } }: Stored): BoundReference {
  return { name, uid };
}
