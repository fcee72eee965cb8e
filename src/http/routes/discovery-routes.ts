import type { Peers } from '../../aggregation/peers/peers.ts';
import { apiServices } from '../../aggregation/api-service.ts';
import { aggregatedParameters } from '../../api/contracts/aggregated-form.ts';
import type { Soon } from '../../api/scheduling/soon.ts';
import type { Discovery, DiscoveryDocument, ValidatedDocument } from '../../discovery/documents.ts';
import { methodNotAllowed, pathNotFound } from '../../api/errors/status-errors.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { type AcceptClause, acceptsType, parseAccept } from '../negotiation/accept-header.ts';
import type { Encoding } from '../forms/encoding.ts';
import { refuseUnrepresented } from '../negotiation/negotiate.ts';
import { plainJson } from '../negotiation/output-format.ts';
import { hasPagesForMissing, isCustomVersion, notFoundPage, type PathHandler } from './non-resource-routes.ts';
import { negotiatePlain } from '../negotiation/offers.ts';
import type { ServeRemote } from './remote-routes.ts';
import type { CountedPath } from '../request/counted-as.ts';
import type { RequestContext } from '../request/request-context.ts';
import { apiHeaders, respondDocument, writeDocument } from '../responses/respond.ts';
import { sendBody } from '../responses/send.ts';

/** Metrics count requests for the aggregated form only, like those of the reference. */
const countedPaths = {
  core: { subresource: 'api', component: 'apiserver' },
  groups: { subresource: 'apis', component: 'apiserver' },
} as const;

type DiscoveryOf = (catalogue: Catalogue) => Discovery;

/** `/api` and everything below that is not a resource. */
export function coreDiscoveryHandler(discoveryOf: DiscoveryOf, serveRemote: ServeRemote): PathHandler {
  return (context) => {
    const remote = context.kinds.catalogue.remote('', 'v1');
    if (remote !== undefined) return serveRemote(context, remote);
    const discovery = discoveryOf(context.kinds.catalogue);
    const [version] = segments(context, '/api');
    const resources = version === undefined ? undefined : discovery.resources('', version);
    if (version !== undefined && resources === undefined) throw pathNotFound();
    routed(context);
    if (resources !== undefined) return respond(context, resources);
    return respondNegotiated(
      context,
      () => discovery.versions(),
      () => discovery.aggregatedCore(),
      countedPaths.core,
    );
  };
}

/** `/apis` and everything below that is not a resource. */
export function groupDiscoveryHandler(
  discoveryOf: DiscoveryOf,
  serveRemote: ServeRemote,
  peers: Pick<Peers, 'groups'> | undefined,
): PathHandler {
  return (context) => {
    const [group, version] = segments(context, '/apis');
    const remote = context.kinds.catalogue.remote(group ?? '', version ?? '');
    if (remote !== undefined) return serveRemote(context, remote);
    const discovery = discoveryOf(context.kinds.catalogue);
    const others = peers?.groups ?? [];
    const listed = others.length === 0 ? discovery : discovery.groupsWith(others);
    // The reference does not aggregate for `/apis/`.
    if (group === undefined && context.path !== '/apis') return respond(context, listed.groups());
    if (group === undefined)
      return respondNegotiated(
        context,
        () => listed.groups(),
        ({ parameters }) =>
          others.length === 0 || parameters.get('profile') === 'nopeer'
            ? discovery.aggregatedGroups()
            : discovery.aggregatedWith(others),
        countedPaths.groups,
      );
    const document = (version === undefined ? listed : discovery).group(group);
    if (document === undefined) return notFoundPage(context);
    if (version === undefined) {
      if (group === apiServices.group) routed(context);
      return respond(context, document);
    }
    const resources = discovery.resources(group, version);
    const { catalogue } = context.kinds;
    if (resources === undefined) {
      if (hasPagesForMissing(catalogue, group)) return notFoundPage(context);
      throw pathNotFound();
    }
    if (!isCustomVersion(catalogue, group, version)) routed(context);
    return respond(context, resources);
  };
}

/**
 * The reference's router refuses methods, and media types before the handler negotiates. It has routes for the core
 * group, versions of built-in kinds, and the group that the aggregator itself serves; all other documents come from
 * handlers, which take any method.
 */
function routed({ exchange, wireForms }: RequestContext): void {
  if (exchange.method !== 'GET') throw methodNotAllowed();
  refuseUnrepresented(exchange.header('accept'), wireForms.mediaTypes);
}

function segments({ path }: RequestContext, base: string): string[] {
  return path
    .slice(base.length)
    .split('/')
    .filter((segment) => segment !== '');
}

function respond(context: RequestContext, document: DiscoveryDocument): Promise<void> {
  const format = negotiatePlain(context);
  return respondDocument(context, 200, { json: Buffer.from(document.json) }, format);
}

/** Sends the aggregated form to every client that accepts it, whatever else it accepts. */
async function respondNegotiated(
  context: RequestContext,
  plain: () => DiscoveryDocument,
  aggregated: (requested: AcceptClause) => Soon<ValidatedDocument>,
  countedAs: CountedPath,
): Promise<void> {
  const requested = requestedAggregated(context);
  if (requested === undefined) return respond(context, plain());
  context.countedAs = countedAs;
  return respondAggregated(context, await aggregated(requested.clause), requested.encoding);
}

interface AggregatedRequest {
  readonly clause: AcceptClause;
  readonly encoding: Encoding;
}

/** The encoding in which the client accepts aggregated discovery; undefined if it does not. */
function requestedAggregated({ exchange, wireForms }: RequestContext): AggregatedRequest | undefined {
  for (const clause of parseAccept(exchange.header('accept') ?? '')) {
    const { parameters } = clause;
    const requested =
      parameters.get('g') === 'apidiscovery.k8s.io' &&
      parameters.get('v') === 'v2' &&
      parameters.get('as') === 'APIGroupDiscoveryList';
    const found = requested
      ? wireForms.encodings.find(({ serializer }) => acceptsType(clause, serializer.mediaType))
      : undefined;
    if (found !== undefined) return { clause, encoding: found };
  }
  return undefined;
}

/** Clients cache this document and revalidate it (RFC 9110 section 13.1.2). */
async function respondAggregated(
  context: RequestContext,
  { json, etag }: ValidatedDocument,
  encoding: Encoding,
): Promise<void> {
  const headers = {
    ...apiHeaders(context, `${encoding.serializer.mediaType};${aggregatedParameters}`),
    'cache-control': 'public',
    etag: `"${etag}"`,
    vary: 'Accept',
  };
  const unchanged = context.exchange.header('if-none-match') === `"${etag}"`;
  const body = unchanged ? Buffer.alloc(0) : writeDocument(context, { json }, { ...plainJson, encoding });
  await sendBody(context, unchanged ? 304 : 200, { headers, body });
}
