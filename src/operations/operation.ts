import type { Admission } from '../api/admission.ts';
import type { Authorizer } from '../api/authorization.ts';
import type { Clock } from '../api/clock.ts';
import type { JsonObject } from '../api/json.ts';
import { methodNotSupported } from '../api/status-errors.ts';
import type { UserInfo } from '../api/user.ts';
import type { StoreKind, WriteScope } from '../registry/store-kind.ts';
import type { Subresource } from '../schema/resource.ts';
import type { KindRegistry } from './kinds.ts';
import type { ResourceScope } from './resource-scope.ts';

/** What every operation of the API on objects is given: who asks, about what, and until when. */
export interface Operation {
  readonly scope: ResourceScope;
  /** The part of the object that is read or written; undefined for the object itself. */
  readonly subresource: Subresource | undefined;
  /** As authorizers call it; absent: what the server does by itself. */
  readonly verb?: string;
  /** Empty for kinds that live in no namespace. */
  readonly namespace: string;
  readonly user: UserInfo;
  readonly clock: Clock;
  /** When it was asked for, in milliseconds since the epoch. */
  readonly receivedMs: number;
  /** Milliseconds since the epoch after which it is too late. */
  readonly deadlineMs: number;
  readonly admission: Admission;
  /** Judges what writing takes beyond the write itself: granting a role, signing for a signer. */
  readonly authorizer: Authorizer;
  /** The options that the request gave, as admission is told of them; absent: none. */
  readonly options?: () => JsonObject;
  readonly kinds: KindRegistry;
  /** Adds the text of a Warning header. */
  warn(text: string): void;
}

/** How an operation writes. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** Who owns what is written (specification, "Field management model"). */
  readonly manager: string;
}

/** The store of the resource; virtual resources have none. Throws a StatusError (405). */
export function storeOfOperation({ scope }: Pick<Operation, 'scope'>, verb: string): StoreKind {
  if (scope.store === undefined) throw methodNotSupported(scope.groupResource, verb);
  return scope.store;
}

/** What the registry is told of a write. */
export function writeScope(operation: Operation, dryRun: boolean): WriteScope {
  const { scope, namespace, user, authorizer, receivedMs, deadlineMs } = operation;
  return {
    resource: scope.groupResource,
    namespace,
    dryRun,
    deadlineMs,
    context: {
      nowMs: receivedMs,
      verb: operation.verb ?? 'update',
      requestGroup: scope.resource.group,
      requestVersion: scope.resource.version,
      user,
      authorizer,
      namespace,
      requestName: '',
    },
    warn: (text) => operation.warn(text),
  };
}
