import type { UserInfo } from './user.ts';

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
}

export interface AuthorizationResult {
  readonly decision: 'allow' | 'deny' | 'no-opinion';
  /** Why, for the answer's message; may be empty. */
  readonly reason: string;
}

/** One method: asked in order, the first `allow` or `deny` counts; nobody's opinion is a denial. */
export interface Authorizer {
  authorize(attributes: AuthorizationAttributes): AuthorizationResult | Promise<AuthorizationResult>;
}
