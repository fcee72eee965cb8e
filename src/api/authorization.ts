import type { FieldRequirement } from './field-selector.ts';
import type { LabelRequirement } from './label-selector.ts';
import type { UserInfo } from './user.ts';

/** What a list, a watch or a deletion of many is restricted to: requirements that could be read. */
export interface AttributeSelectors {
  readonly fields: readonly FieldRequirement[];
  readonly labels: readonly LabelRequirement[];
}

/** What is asked of an authorizer. */
export interface AuthorizationAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly isResourceRequest: boolean;
  /** Of requests that are not for resources. */
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Absent: there are none. */
  readonly selectors?: AttributeSelectors | undefined;
}

export interface AuthorizationResult {
  readonly decision: 'allow' | 'deny' | 'no-opinion';
  /** Why, for the answer's message; may be empty. */
  readonly reason: string;
  /** What kept an authorizer from deciding, or made it decide so. A request that is not allowed then fails (500). */
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

/** All that somebody may do in one namespace, as far as it can be told. */
export interface GrantedRules {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
  /** There may be more. */
  readonly incomplete: boolean;
  /** Why something could not be told. */
  readonly errors: readonly string[];
}

type Soon<T> = T | Promise<T>;

/** Asked in order, the first `allow` or `deny` counts; nobody's opinion is a denial. */
export interface Authorizer {
  authorize(attributes: AuthorizationAttributes): Soon<AuthorizationResult>;
  /** Absent: there is nothing to tell that a review of rules shows. */
  rulesOf?(user: UserInfo, namespace: string): Soon<GrantedRules>;
}
