import type { Admission } from '../../api/admission.ts';
import type { Authorizer } from '../../api/authorization.ts';
import { badRequest } from '../../api/status-errors.ts';
import { type Operation, storeOfOperation } from '../../operations/operation.ts';
import type { ResourceScope } from '../../operations/resource-scope.ts';
import type { StoreKind } from '../../registry/store-kind.ts';
import type { Subresource } from '../../schema/resource.ts';
import type { OutputFormat } from '../negotiation/output-format.ts';
import { givenOptions, type ListFeatures } from './request-options.ts';
import type { RequestContext } from './request-context.ts';

/** A request for a resource, on its way through a verb. */
export interface ResourceRequest {
  readonly context: RequestContext;
  readonly scope: ResourceScope;
  /** What the path names below the object; undefined for the object itself. */
  readonly subresource: Subresource | undefined;
  readonly format: OutputFormat;
  readonly admission: Admission;
  /** For what takes more than the right to the verb. */
  readonly authorizer: Authorizer;
  readonly limits: RequestLimits;
  readonly features: RequestFeatures;
}

/** Feature gates that requests depend on. */
export interface RequestFeatures extends ListFeatures {
  /** What cannot be read may be deleted by those who may. */
  readonly unsafeDeletion: boolean;
}

export interface RequestLimits {
  /** A watch without a timeout of its own ends after a random time between this and twice this. */
  readonly minWatchTimeoutMs: number;
}

/** One verb: writes the answer, or throws a StatusError. */
export type VerbHandler = (request: ResourceRequest) => Promise<void>;

/** The store of a resource that has one; virtual resources have no such verbs. */
export function storeOf({ scope, context }: ResourceRequest): StoreKind {
  return storeOfOperation({ scope }, context.info.verb);
}

/** The object's name in the path. */
export function nameOf({ context }: ResourceRequest): string {
  if (context.info.name === '') throw badRequest('name must be provided');
  return context.info.name;
}

/** The operation that a request asks for. */
export function operationOf({ context, scope, subresource, admission, authorizer }: ResourceRequest): Operation {
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
    clock: context.clock,
    options: () => givenOptions(context.query),
    kinds,
    warn: (text) => warnings.add(text),
  };
}
