import type { FieldRequirement } from '../selectors/field-selector.ts';
import type { LabelRequirement } from '../selectors/label-selector.ts';
import type { UserInfo } from './user.ts';

/** Selectors of a list, watch or deletecollection: the requirements that could be parsed. */
export interface AttributeSelectors {
  readonly fields: readonly FieldRequirement[];
  readonly labels: readonly LabelRequirement[];
}

/** The attributes of a request. */
export interface AuthorizationAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly isResourceRequest: boolean;
  /** For non-resource requests. */
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Absent: no selectors. */
  readonly selectors?: AttributeSelectors | undefined;
}

export interface AuthorizationResult {
  readonly decision: 'allow' | 'deny' | 'no-opinion';
  /** The reason, part of the error message; may be empty. */
  readonly reason: string;
  /** An error of the authorizer. Unless the request is allowed, it fails with 500. */
  readonly error?: string;
}

export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Empty: all objects. */
  readonly resourceNames: readonly string[];
}

export interface NonResourceRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** What a user may do in one namespace, as far as it can be enumerated. */
export interface GrantedRules {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
  /** The list may be incomplete. */
  readonly incomplete: boolean;
  /** Why it is incomplete. */
  readonly errors: readonly string[];
}

type Soon<T> = T | Promise<T>;

/** Authorizers are asked in order; the first `allow` or `deny` decides, and no opinion from any means denied. */
export interface Authorizer {
  authorize(attributes: AuthorizationAttributes): Soon<AuthorizationResult>;
  /** Absent: the authorizer has no rules to list. */
  rulesOf?(user: UserInfo, namespace: string): Soon<GrantedRules>;
}
