import type { Admission, AdmissionAttributes, AdmissionOperation } from '../api/admission.ts';
import type { KubernetesObject } from '../api/object.ts';
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
  /** Empty for kinds that live in no namespace. */
  readonly namespace: string;
  readonly user: UserInfo;
  /** When it was asked for, in milliseconds since the epoch. */
  readonly receivedMs: number;
  /** Milliseconds since the epoch after which it is too late. */
  readonly deadlineMs: number;
  readonly admission: Admission;
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
export function storeOf({ scope }: Pick<Operation, 'scope'>, verb: string): StoreKind {
  if (scope.store === undefined) throw methodNotSupported(scope.groupResource, verb);
  return scope.store;
}

/** What the registry is told of a write. */
export function writeScope(operation: Operation, dryRun: boolean): WriteScope {
  const { scope, namespace, user, receivedMs, deadlineMs } = operation;
  return {
    resource: scope.groupResource,
    namespace,
    dryRun,
    deadlineMs,
    context: {
      nowMs: receivedMs,
      requestGroup: scope.resource.group,
      requestVersion: scope.resource.version,
      user,
    },
    warn: (text) => operation.warn(text),
  };
}

/** What admission is asked. */
export function admissionAttributes(
  operation: Operation,
  write: {
    readonly operation: AdmissionOperation;
    readonly name: string;
    readonly object: KubernetesObject | undefined;
    readonly oldObject: Readonly<KubernetesObject> | undefined;
    readonly dryRun: boolean;
  },
): AdmissionAttributes {
  const { scope, subresource, namespace, user } = operation;
  const { group, version, plural, namespaced, kind } = scope.resource;
  return {
    group,
    version,
    resource: plural,
    subresource: subresource?.name ?? '',
    kind,
    namespaced,
    namespace,
    user,
    warn: (text) => operation.warn(text),
    ...write,
  };
}
