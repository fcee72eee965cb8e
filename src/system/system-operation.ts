import type { Admission } from '../api/contracts/admission.ts';
import type { Clock } from '../api/time/clock.ts';
import { alwaysAllow } from '../authorization/always.ts';
import type { UserInfo } from '../api/contracts/user.ts';
import type { KindRegistry } from '../operations/kinds.ts';
import type { Operation } from '../operations/operation.ts';
import type { ResourceScope } from '../operations/resource-scope.ts';

/** The field manager of the server's own writes. */
export const serverManager = 'kube-apiserver';

export const systemWrite = { dryRun: false, manager: serverManager } as const;

/** The server's own writes are always admitted. */
export const noAdmission: Admission = { mutate: () => Promise.resolve(), validate: () => Promise.resolve() };

export const systemUser: UserInfo = { name: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} };

/** An operation by the server itself, outside of any request. */
export function systemOperation(
  scope: ResourceScope,
  {
    kinds,
    clock,
    namespace = '',
    subresource = '',
  }: {
    readonly kinds: KindRegistry;
    readonly clock: Clock;
    readonly namespace?: string;
    readonly subresource?: string;
  },
): Operation {
  return {
    scope,
    subresource: scope.resource.subresources.find(({ name }) => name === subresource),
    namespace,
    user: systemUser,
    receivedMs: clock.now(),
    deadlineMs: Number.POSITIVE_INFINITY,
    admission: noAdmission,
    authorizer: alwaysAllow,
    kinds,
    warn: () => undefined,
    annotate: () => undefined,
  };
}
