import type { UserInfo } from '../../api/contracts/user.ts';

/** What flow control looks at of a request. */
export interface FlowRequest {
  readonly user: UserInfo;
  readonly verb: string;
  readonly isResourceRequest: boolean;
  /** Decoded. */
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  /** The object's name, also that of a list or watch whose field selector names one object. */
  readonly name: string;
}
