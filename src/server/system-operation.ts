import type { Admission } from '../api/admission.ts';
import type { Clock } from '../api/clock.ts';
import { alwaysAllow } from '../authorization/always.ts';
import type { UserInfo } from '../api/user.ts';
import type { KindRegistry } from '../operations/kinds.ts';
import type { Operation } from '../operations/operation.ts';
import type { ResourceScope } from '../operations/resource-scope.ts';

/** Who owns what the server itself writes. */
export const serverManager = 'kube-apiserver';

export const systemWrite = { dryRun: false, manager: serverManager } as const;

/** What the server makes of itself is admitted. */
export const noAdmission: Admission = { mutate: () => Promise.resolve(), validate: () => Promise.resolve() };

/** The server itself. */
export const systemUser: UserInfo = { name: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} };

/** An operation that nobody has asked for: the server writes what has to be there. */
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
    clock,
    receivedMs: clock.now(),
    deadlineMs: Number.POSITIVE_INFINITY,
    admission: noAdmission,
    authorizer: alwaysAllow,
    kinds,
    warn: () => undefined,
  };
}
