import type { Admission } from '../../api/contracts/admission.ts';
import type { Authorizer } from '../../api/contracts/authorization.ts';
import { badRequest } from '../../api/errors/status-errors.ts';
import { type Operation, storeOfOperation } from '../../operations/operation.ts';
import type { ResourceScope } from '../../operations/resource-scope.ts';
import type { PatchFormat } from '../../patch/apply-patch.ts';
import type { StoreKind } from '../../registry/stored/store-kind.ts';
import type { Subresource } from '../../schema/resource.ts';
import type { OutputFormat } from '../negotiation/output-format.ts';
import { givenOptions, type ListFeatures } from './request-options.ts';
import type { RequestContext } from './request-context.ts';

/** A request for a resource, as verbs receive it. */
export interface ResourceRequest {
  readonly context: RequestContext;
  readonly scope: ResourceScope;
  /** Undefined for the object itself. */
  readonly subresource: Subresource | undefined;
  readonly format: OutputFormat;
  /** For PATCH: the format of the body. */
  readonly patchFormat: PatchFormat | 'apply' | undefined;
  readonly admission: Admission;
  /** For operations that need further rights. */
  readonly authorizer: Authorizer;
  readonly limits: RequestLimits;
  readonly features: RequestFeatures;
}

/** Feature gates that affect requests. */
export interface RequestFeatures extends ListFeatures {
  /** AllowUnsafeMalformedObjectDeletion: users with the right to it may delete unreadable objects. */
  readonly unsafeDeletion: boolean;
}

export interface RequestLimits {
  /** Watches without a timeout end after a random time between this and twice this. */
  readonly minWatchTimeoutMs: number;
  /** How many objects of a deleted collection are deleted at a time. */
  readonly deletionsAtOnce: number;
}

/** Serves one verb: writes the response or throws a StatusError. */
export type VerbHandler = (request: ResourceRequest) => Promise<void>;

/** The resource's store. Virtual resources have none, and no verbs that call this. */
export function storeOf({ scope, context }: ResourceRequest): StoreKind {
  return storeOfOperation({ scope }, context.info.verb);
}

/** The object name in the path. */
export function nameOf({ context }: ResourceRequest): string {
  if (context.info.name === '') throw badRequest('name must be provided');
  return context.info.name;
}

/** The format of the body of a PATCH. */
export function bodyFormatOf({ patchFormat }: ResourceRequest): PatchFormat | 'apply' {
  if (patchFormat === undefined) throw new Error('only a PATCH has a patch format');
  return patchFormat;
}

/** The operation that a request stands for. */
export function operationOf(request: Omit<ResourceRequest, 'format' | 'patchFormat'>): Operation {
  const { context, scope, subresource, admission, authorizer } = request;
  const { info, user, receivedMs, deadlineMs, warnings, kinds } = context;
  return {
    scope,
    subresource,
    verb: info.verb,
    namespace: info.namespace,
    user,
    receivedMs,
    deadlineMs,
    admission,
    authorizer,
    options: () => givenOptions(context.query),
    kinds,
    warn: (text) => warnings.add(text),
    annotate: (key, value, level) => context.audit?.annotate(key, value, level),
    waited: (durationMs) => {
      context.webhooksMs += durationMs;
    },
    called: (step) => (context.steps ??= []).push(step),
    passing: () => context.passing,
    objectUid: () => context.objectUid,
  };
}
