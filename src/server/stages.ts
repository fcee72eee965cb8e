import type { Admission } from '../api/admission.ts';
import type { Authenticator } from '../api/authentication.ts';
import type { Authorizer } from '../api/authorization.ts';
import { serveResource } from '../http/api-routes.ts';
import { servePath } from '../http/non-resource-routes.ts';
import type { Stage } from '../http/request-context.ts';
import { authenticateStage } from '../http/stages/authenticate.ts';
import { authorizeStage } from '../http/stages/authorize.ts';
import { impersonationStage } from '../http/stages/impersonate.ts';
import { deadlineStage } from '../http/stages/deadline.ts';
import { requestInfoStage } from '../http/stages/request-info.ts';
import type { Component } from '../http/virtual/component-statuses.ts';
import type { Resource } from '../schema/resource.ts';
import type { ServerConfig } from './config.ts';
import type { Lifecycle } from './lifecycle.ts';
import { gatesByConfig } from './served-by-config.ts';
import { pathRoutes } from './path-routes.ts';
import type { RequestMetrics } from './request-metrics.ts';
import type { ResourceScopes } from './resource-scopes.ts';
import { virtualResources } from './virtual-resources.ts';

export interface StageParts {
  readonly config: ServerConfig;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly admission: Admission;
  readonly scopes: ResourceScopes;
  readonly served: readonly Resource[];
  readonly lifecycle: Lifecycle;
  readonly components: readonly Component[];
  readonly metrics: RequestMetrics;
  /** The store as it is now, in the form of a snapshot file. */
  readonly takeSnapshot: (() => Iterable<Uint8Array>) | undefined;
}

/** The way of a request, in execution order. The pipeline itself recovers from what a stage throws. */
export function requestStages(parts: StageParts): readonly Stage[] {
  const { config, authenticator, authorizer, admission, scopes, metrics } = parts;
  const routes = pathRoutes(parts);
  const gates = gatesByConfig(config.api);
  const servedGroups = new Set(parts.served.map(({ group }) => group));
  const services = {
    admission,
    kinds: scopes,
    limits: { minWatchTimeoutMs: config.requests.minWatchTimeoutMs },
    features: {
      watchList: gates.get('WatchList') ?? false,
      shardedLists: gates.get('ShardedListAndWatch') ?? false,
    },
    scopeOf: (group: string, version: string, plural: string) => scopes.scopeOf(group, version, plural),
    servesGroup: (group: string) => servedGroups.has(group),
    virtual: virtualResources(scopes, authorizer, parts.components),
  };
  return [
    requestInfoStage,
    { name: 'metrics', run: (context) => metrics.begin(context) },
    deadlineStage(config.requests.timeoutMs),
    authenticateStage(authenticator, config.authentication.anonymous),
    impersonationStage,
    authorizeStage(authorizer),
    {
      name: 'dispatch',
      run: (context) =>
        context.info.isResourceRequest ? serveResource(context, services) : servePath(context, routes),
    },
  ];
}
