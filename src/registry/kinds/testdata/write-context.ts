import type { WriteContext } from '../strategy.ts';

/** A request by an administrator with all rights, at the epoch. */
export function writeContext(requestGroup = '', requestVersion = 'v1'): WriteContext {
  return {
    nowMs: 0,
    verb: '',
    requestGroup,
    requestVersion,
    namespace: '',
    requestName: '',
    user: { name: 'admin', uid: '', groups: [], extra: {} },
    authorizer: { authorize: () => ({ decision: 'allow', reason: '' }) },
  };
}
