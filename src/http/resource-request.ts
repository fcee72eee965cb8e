import type { Admission, AdmissionAttributes, AdmissionOperation } from '../api/admission.ts';
import type { KubernetesObject } from '../api/object.ts';
import { badRequest, methodNotSupported } from '../api/status-errors.ts';
import type { StoreKind, WriteScope } from '../registry/store-kind.ts';
import type { Subresource } from '../schema/resource.ts';
import type { Schema } from '../schema/schema.ts';
import type { GroupVersionKind } from '../api/group-version.ts';
import type { OutputFormat } from './negotiate.ts';
import type { RequestContext } from './request-context.ts';
import type { ResourceScope } from './resource-scope.ts';

/** A request for a resource, on its way through a verb. */
export interface ResourceRequest {
  readonly context: RequestContext;
  readonly scope: ResourceScope;
  /** What the path names below the object; undefined for the object itself. */
  readonly subresource: Subresource | undefined;
  readonly format: OutputFormat;
  readonly admission: Admission;
  readonly kinds: KindRegistry;
  readonly limits: RequestLimits;
  readonly features: RequestFeatures;
}

/** Feature gates that requests depend on. */
export interface RequestFeatures {
  readonly watchList: boolean;
}

export interface RequestLimits {
  /** A watch without a timeout of its own ends after a random time between this and twice this. */
  readonly minWatchTimeoutMs: number;
}

/** All kinds that are known, served or not. */
export interface KindRegistry {
  schemaOf(kind: GroupVersionKind): Schema | undefined;
  /** The resource that serves a kind; undefined when nobody does. */
  scopeOfKind(kind: GroupVersionKind): ResourceScope | undefined;
}

/** One verb: writes the answer, or throws a StatusError. */
export type VerbHandler = (request: ResourceRequest) => Promise<void>;

/** The store of a resource that has one; virtual resources have no such verbs. */
export function storeOf({ scope, context }: ResourceRequest): StoreKind {
  if (scope.store === undefined) throw methodNotSupported(scope.groupResource, context.info.verb);
  return scope.store;
}

/** The object's name in the path. */
export function nameOf({ context }: ResourceRequest): string {
  if (context.info.name === '') throw badRequest('name must be provided');
  return context.info.name;
}

export function writeScope({ context, scope }: ResourceRequest, dryRun: boolean): WriteScope {
  return {
    resource: scope.groupResource,
    namespace: context.info.namespace,
    dryRun,
    deadlineMs: context.deadlineMs,
    context: {
      nowMs: context.receivedMs,
      requestGroup: scope.resource.group,
      requestVersion: scope.resource.version,
      user: context.user,
    },
    warn: (text) => context.warnings.add(text),
  };
}

/** What admission is asked of this request. */
export function admissionAttributes(
  { context, scope, subresource }: ResourceRequest,
  write: {
    readonly operation: AdmissionOperation;
    readonly name: string;
    readonly object: KubernetesObject | undefined;
    readonly oldObject: Readonly<KubernetesObject> | undefined;
    readonly dryRun: boolean;
  },
): AdmissionAttributes {
  const { group, version, plural, namespaced, kind } = scope.resource;
  return {
    group,
    version,
    resource: plural,
    subresource: subresource?.name ?? '',
    kind,
    namespaced,
    namespace: context.info.namespace,
    user: context.user,
    warn: (text) => context.warnings.add(text),
    ...write,
  };
}
