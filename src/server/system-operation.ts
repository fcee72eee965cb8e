import type { Admission } from '../api/admission.ts';
import { alwaysAllow } from '../authorization/always.ts';
import type { KindRegistry } from '../operations/kinds.ts';
import type { Operation } from '../operations/operation.ts';
import type { ResourceScope } from '../operations/resource-scope.ts';

/** Who owns what the server itself writes. */
const serverManager = 'kube-apiserver';

export const systemWrite = { dryRun: false, manager: serverManager } as const;

/** What the server makes of itself is admitted. */
const noAdmission: Admission = { mutate: () => Promise.resolve(), validate: () => Promise.resolve() };

/** An operation that nobody has asked for: the server writes what has to be there. */
export function systemOperation(
  scope: ResourceScope,
  {
    kinds,
    nowMs,
    namespace = '',
    subresource = '',
  }: {
    readonly kinds: KindRegistry;
    readonly nowMs: number;
    readonly namespace?: string;
    readonly subresource?: string;
  },
): Operation {
  return {
    scope,
    subresource: scope.resource.subresources.find(({ name }) => name === subresource),
    namespace,
    user: { name: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} },
    receivedMs: nowMs,
    deadlineMs: Number.POSITIVE_INFINITY,
    admission: noAdmission,
    authorizer: alwaysAllow,
    kinds,
    warn: () => undefined,
  };
}
