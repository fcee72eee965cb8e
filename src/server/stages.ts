import type { Admission } from '../api/admission.ts';
import type { Authenticator } from '../api/authentication.ts';
import type { Authorizer } from '../api/authorization.ts';
import { serveResource } from '../http/api-routes.ts';
import { servePath } from '../http/non-resource-routes.ts';
import type { Stage } from '../http/request-context.ts';
import { authenticateStage } from '../http/stages/authenticate.ts';
import { authorizeStage } from '../http/stages/authorize.ts';
import { deadlineStage } from '../http/stages/deadline.ts';
import { impersonationStage } from '../http/stages/impersonate.ts';
import { requestInfoStage } from '../http/stages/request-info.ts';
import type { VerbRow } from '../http/verb-table.ts';
import type { Component } from '../http/virtual/component-statuses.ts';
import type { ServerConfig } from './config.ts';
import type { HealthParts } from './health-checks.ts';
import { pathRoutes } from './path-routes.ts';
import type { RequestMetrics } from './request-metrics.ts';
import type { ResourceScopes } from './resource-scopes.ts';
import { gatesByConfig } from './served-by-config.ts';
import { type VirtualResourceRow, virtualResources } from './virtual-resources.ts';

/** What stages are made of. */
export interface StageParts {
  readonly config: ServerConfig;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly admission: Admission;
  readonly scopes: ResourceScopes;
  readonly verbs: ReadonlyMap<string, VerbRow>;
  readonly virtual: readonly VirtualResourceRow[];
  readonly health: HealthParts;
  readonly components: readonly Component[];
  readonly metrics: RequestMetrics;
  /** The store as it is now, in the form of a snapshot file. */
  readonly takeSnapshot: (() => Iterable<Uint8Array>) | undefined;
}

export interface StageRow {
  readonly name: string;
  readonly make: (parts: StageParts) => Stage;
}

/** The way of a request, in execution order. The pipeline itself answers for what a stage throws. */
export const stageTable: readonly StageRow[] = [
  { name: 'request-info', make: ({ verbs }) => requestInfoStage(verbs.values()) },
  { name: 'metrics', make: ({ metrics }) => metrics.stage },
  { name: 'deadline', make: ({ config }) => deadlineStage(config.requests.timeoutMs) },
  { name: 'authentication', make: ({ authenticator }) => authenticateStage(authenticator) },
  { name: 'impersonation', make: () => impersonationStage },
  { name: 'authorization', make: ({ authorizer }) => authorizeStage(authorizer) },
  { name: 'dispatch', make: dispatchStage },
];

function dispatchStage(parts: StageParts): Stage {
  const { config, authorizer, admission, scopes, verbs } = parts;
  const routes = pathRoutes(parts);
  const gates = gatesByConfig(config.api);
  const services = {
    admission,
    authorizer,
    limits: { minWatchTimeoutMs: config.requests.minWatchTimeoutMs },
    features: {
      watchList: gates.get('WatchList') ?? false,
      shardedLists: gates.get('ShardedListAndWatch') ?? false,
      unsafeDeletion: gates.get('AllowUnsafeMalformedObjectDeletion') ?? false,
    },
    verbs,
    virtual: virtualResources(parts.virtual, { scopes, authorizer, components: parts.components }),
  };
  return {
    name: 'dispatch',
    run: (context) => (context.info.isResourceRequest ? serveResource(context, services) : servePath(context, routes)),
  };
}
