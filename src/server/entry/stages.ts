import { measuredAttempts } from '../../authentication/attempt-metrics.ts';
import { measuredRequests } from '../../authorization/attempt-metrics.ts';
import { Impersonation } from '../../authorization/impersonation/impersonation.ts';
import { impersonationMetrics } from '../../authorization/impersonation/impersonation-metrics.ts';
import { impersonationModes, oldModes } from '../../authorization/impersonation/modes.ts';
import { HighMarks, inFlight } from '../../flowcontrol/high-marks.ts';
import { connectHandlers } from '../../http/connect/connect-table.ts';
import { serveResource } from '../../http/routes/api-routes.ts';
import { peerRoutes } from '../../http/routes/peer-routes.ts';
import { remoteRoutes } from '../../http/routes/remote-routes.ts';
import { isUnrouted, servePath } from '../../http/routes/non-resource-routes.ts';
import type { RequestContext, Stage } from '../../http/request/request-context.ts';
import { auditStage, beginAuditStage } from '../../http/stages/audit.ts';
import { authenticateStage } from '../../http/stages/authenticate.ts';
import { authorizeStage } from '../../http/stages/authorize.ts';
import { corsStage } from '../../http/stages/cors.ts';
import { deadlineStage } from '../../http/stages/deadline.ts';
import { goawayStage } from '../../http/stages/goaway.ts';
import { flowControlStage } from '../../http/stages/flow-control.ts';
import { httpLogStage } from '../../http/stages/httplog.ts';
import { inFlightStage } from '../../http/stages/in-flight.ts';
import { largeRequestsStage } from '../../http/stages/large-requests.ts';
import { impersonationStage } from '../../http/stages/impersonate.ts';
import { requestInfoStage } from '../../http/stages/request-info.ts';
import { slowRequestsStage } from '../../http/stages/slow-requests.ts';
import { traceStage, tracedStage } from '../../http/stages/trace.ts';
import { servedInTrace } from '../../http/routes/traced-verb.ts';
import { aggregatedCertificates } from '../../outgoing/certificate-counts.ts';
import { pathRoutes } from './path-routes.ts';
import { cleanVerb } from '../../metrics/request-labels.ts';
import { gatesByConfig } from '../kinds/served-by-config.ts';
import type { StageParts } from './stage-parts.ts';
import { virtualResources } from '../kinds/virtual-resources.ts';

export interface StageRow {
  readonly name: string;
  /** Undefined if it has nothing to do. */
  readonly make: (parts: StageParts) => Stage | undefined;
}

/** The request pipeline in execution order. The pipeline itself responds to errors thrown by a stage. */
export const stageTable: readonly StageRow[] = [
  { name: 'request-info', make: ({ verbs }) => requestInfoStage(verbs.values()) },
  { name: 'http-log', make: ({ log }) => httpLogStage(log, cleanVerb) },
  { name: 'slow-requests', make: ({ log }) => slowRequestsStage(log) },
  { name: 'drain', make: ({ drain }) => drain.stage },
  { name: 'large-requests', make: largeRequests },
  { name: 'goaway', make: ({ config: { serving } }) => goawayStage(serving.goawayChance) },
  { name: 'metrics', make: ({ metrics }) => metrics.stage },
  { name: 'audit-begin', make: ({ auditor }) => auditor && beginAuditStage(auditor) },
  { name: 'deadline', make: ({ config }) => deadlineStage(config.requests.timeoutMs) },
  { name: 'cors', make: ({ allowsOrigin }) => allowsOrigin && corsStage(allowsOrigin) },
  { name: 'authentication', make: authenticationStage },
  { name: 'tracing', make: ({ tracing }) => tracing && traceStage(tracing) },
  { name: 'audit', make: (parts) => shown('audit', parts, parts.auditor && auditStage(parts.auditor)) },
  {
    name: 'impersonation',
    make: (parts) => shown(impersonationName(parts), parts, impersonationStage(impersonationOf(parts))),
  },
  { name: 'flow-control', make: (parts) => shown(limitingName(parts), parts, limitingStage(parts)) },
  {
    name: 'authorization',
    make: (parts) => shown('authorization', parts, authorizeStage(measuredRequests(parts.authorizer, parts))),
  },
  { name: 'dispatch', make: dispatchStage },
];

/** Shows a stage in traces, even if it has nothing to do: the reference has all of them. */
function shown(name: string, { tracing }: StageParts, stage: Stage | undefined): Stage | undefined {
  return tracing === undefined ? stage : tracedStage(name, stage ?? { name, run: () => undefined });
}

function impersonationName({ config }: StageParts): string {
  return gatesByConfig(config.api).get('ConstrainedImpersonation') === true
    ? 'constrainedimpersonation'
    : 'impersonation';
}

function limitingName({ flowControl }: StageParts): string {
  return flowControl === undefined ? 'maxinflight' : 'priorityandfairness';
}

function largeRequests({ lanes, connects }: StageParts): Stage | undefined {
  return lanes && largeRequestsStage({ lanes, connects: new Set(connects.map(({ path }) => path)) });
}

function authenticationStage(parts: StageParts): Stage {
  const closesUnauthenticated = gatesByConfig(parts.config.api).get('UnauthenticatedHTTP2DOSMitigation') === true;
  return authenticateStage(measuredAttempts(parts.authenticator, parts), { closesUnauthenticated });
}

function limitingStage({ flowControl, config: { requests }, metrics, metric, sharing }: StageParts): Stage | undefined {
  const { timeoutMs: requestTimeoutMs, maxReadOnlyInFlight: readOnly, maxMutatingInFlight: mutating } = requests;
  const onRefused = (context: RequestContext): void => metrics.refused(context);
  if (flowControl !== undefined) return flowControlStage(flowControl, { requestTimeoutMs, onRefused });
  const marks = new HighMarks(() => performance.now()).shownAs(inFlight, metric);
  return inFlightStage({ limits: { readOnly, mutating }, sharing, marks, onRefused });
}

function impersonationOf(parts: StageParts): Impersonation {
  const { authorizer, config } = parts;
  const isConstrained = gatesByConfig(config.api).get('ConstrainedImpersonation') === true;
  return isConstrained
    ? new Impersonation(authorizer, impersonationModes, impersonationMetrics(parts))
    : new Impersonation(authorizer, oldModes);
}

function dispatchStage(parts: StageParts): Stage {
  const { config, authorizer, admission, verbs } = parts;
  const gates = gatesByConfig(config.api);
  const { refusesRedirects } = config.aggregation;
  const serveRemote = remoteRoutes({
    tellsUid: gates.get('RemoteRequestHeaderUID') === true,
    refusesRedirects,
    certificates: aggregatedCertificates(parts.metric),
  });
  const routes = pathRoutes(parts, serveRemote);
  const connecting = {
    connections: parts.connections,
    kubelets: config.kubelets,
    maxBytesPerSec: config.requests.maxConnectionBytesPerSec,
    gates,
    metrics: parts.connectMetrics,
  };
  const services = {
    admission,
    authorizer,
    limits: config.requests,
    features: {
      watchList: gates.get('WatchList') ?? false,
      shardedLists: gates.get('ShardedListAndWatch') ?? false,
      unsafeDeletion: gates.get('AllowUnsafeMalformedObjectDeletion') ?? false,
    },
    verbs,
    ...(parts.tracing === undefined ? {} : { serveInTrace: servedInTrace }),
    serveRemote,
    servePeer: parts.peers && peerRoutes(parts.peers, parts.metric),
    virtual: virtualResources(parts.virtual, { ...parts, connecting, gates }),
    connects: connectHandlers(parts.connects, connecting),
  };
  return {
    name: 'dispatch',
    run: (context) =>
      context.info.isResourceRequest && !isUnrouted(context)
        ? serveResource(context, services)
        : servePath(context, routes),
  };
}
