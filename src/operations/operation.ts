import type { Admission } from '../api/contracts/admission.ts';
import type { AuditAnnotations } from '../api/contracts/audit.ts';
import type { Authorizer } from '../api/contracts/authorization.ts';
import type { JsonObject } from '../api/json/json.ts';
import type { RequestPassing } from '../api/contracts/request-passing.ts';
import type { RequestStep } from '../api/contracts/request-step.ts';
import { methodNotSupported } from '../api/errors/status-errors.ts';
import type { UserInfo } from '../api/contracts/user.ts';
import type { StoreKind, WriteScope } from '../registry/stored/store-kind.ts';
import type { Subresource } from '../schema/resource.ts';
import type { KindRegistry } from './kinds.ts';
import type { ResourceScope } from './resource-scope.ts';

/** The context of every API operation: who requests it, on what, and until when. */
export interface Operation extends AuditAnnotations {
  readonly scope: ResourceScope;
  /** Undefined for the object itself. */
  readonly subresource: Subresource | undefined;
  /** As authorizers call it; absent: what the server does by itself. */
  readonly verb?: string;
  /** Empty for kinds that live in no namespace. */
  readonly namespace: string;
  readonly user: UserInfo;
  /** When the request was received, in milliseconds since the epoch. */
  readonly receivedMs: number;
  /** When the operation times out, in milliseconds of the monotonic clock. */
  readonly deadlineMs: number;
  readonly admission: Admission;
  /** For rights needed beyond the write itself: granting a role, signing for a signer. */
  readonly authorizer: Authorizer;
  /** The request's options for admission; absent: none. */
  readonly options?: () => JsonObject;
  readonly kinds: KindRegistry;
  /** Adds a Warning header. */
  warn(text: string): void;
  /** Notes a time for which the write has waited for webhooks; absent: nobody wants to know. */
  waited?(durationMs: number): void;
  /** Notes a call to another server that the write has made; absent: nobody wants to know. */
  called?(step: RequestStep): void;
  /** How another thread takes the request; absent or undefined: it stays here. */
  passing?(): RequestPassing | undefined;
  /** The uid of the object that is created; absent: any. */
  objectUid?(): string;
}

export interface WriteOptions {
  readonly dryRun: boolean;
  /** The field manager (specification, "Field management model"). */
  readonly manager: string;
  /** A name in the path of a create: admission sees it in place of the object's. */
  readonly pathName?: string;
}

/** The store of the resource. Throws a StatusError (405) for virtual resources. */
export function storeOfOperation({ scope }: Pick<Operation, 'scope'>, verb: string): StoreKind {
  if (scope.store === undefined) throw methodNotSupported(scope.groupResource, verb);
  return scope.store;
}

/** The scope of a write for the registry. */
export function writeScope(operation: Operation, dryRun: boolean): WriteScope {
  const { scope, namespace, user, authorizer, receivedMs, deadlineMs } = operation;
  return {
    resource: scope.groupResource,
    namespace,
    dryRun,
    deadlineMs,
    context: {
      nowMs: receivedMs,
      ...(operation.objectUid === undefined ? {} : { objectUid: () => operation.objectUid!() }),
      verb: operation.verb ?? 'update',
      requestGroup: scope.resource.group,
      requestVersion: scope.resource.version,
      user,
      authorizer,
      namespace,
      requestName: '',
    },
    ifLarge: async (sizeBytes) => operation.passing?.()?.ifLarge(sizeBytes),
    warn: (text) => operation.warn(text),
  };
}
