import type { WriteContext } from '../strategy.ts';

/** What a strategy knows of a request of an administrator who may do everything, made at the beginning of time. */
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
