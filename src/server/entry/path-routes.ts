import { methodNotAllowed } from '../../api/errors/status-errors.ts';
import { encodeRaw } from '../../api/json/json-text.ts';
import { createDiscovery } from '../../discovery/documents.ts';
import { coreDiscoveryHandler, groupDiscoveryHandler } from '../../http/routes/discovery-routes.ts';
import { healthChecks } from './health-checks.ts';
import { serverAddress } from '../listening/serving.ts';
import { openApiHandler } from '../../http/routes/openapi-routes.ts';
import { createOpenApi } from '../../openapi/documents.ts';
import { loadDocumentation } from '../../openapi/documentation.ts';
import { healthHandler } from '../../http/routes/health-routes.ts';
import { compress, prefersGzip } from '../../http/transport/compression.ts';
import { indentedJson } from '../../http/negotiation/output-format.ts';
import { counted, type PathHandler, type PathRoutes, serviceRoutes } from '../../http/routes/non-resource-routes.ts';
import type { ServeRemote } from '../../http/routes/remote-routes.ts';
import { refuseUnrepresented } from '../../http/negotiation/negotiate.ts';
import { apiHeaders, respondDocument, respondText } from '../../http/responses/respond.ts';
import { debugFlagRoutes } from '../../http/routes/debug-flags.ts';
import { flowControlPages } from '../../http/routes/flow-control-pages.ts';
import { logFileRoutes, logFilesPath } from '../../http/routes/log-files.ts';
import { openIdRoutes } from '../../http/routes/openid-routes.ts';
import { profileRoutes } from '../../http/routes/profile-pages.ts';
import { upkeepRoutes } from '../../http/routes/upkeep-routes.ts';
import { snapshotHandler, snapshotPath } from '../../http/routes/snapshot-route.ts';
import { type ComponentPage, componentPageHandler } from '../../http/routes/component-pages.ts';
import type { RequestContext } from '../../http/request/request-context.ts';
import { componentPages, type ComponentPagesOptions } from './component-pages.ts';
import type { ServerConfig } from '../config.ts';
import { gatesByConfig } from '../kinds/served-by-config.ts';
import { healthMetrics } from '../../metrics/health-metrics.ts';
import type { Exposition } from '../../metrics/exposition.ts';
import { type ExpositionFormat, expositionFormat } from '../../metrics/exposition-format.ts';
import type { StageParts } from './stage-parts.ts';
import { versionInfo } from '../version.ts';

/** Paths that every server lists. */
const fixedPaths = ['/apis/', '/metrics', '/metrics/slis', '/openapi/v2', '/openapi/v3', '/version'];

/** The non-resource paths. */
export function pathRoutes(
  { config, log, accountTokens, health: healthParts, metrics, takeSnapshot, upkeep, flowControl, peers }: StageParts,
  serveRemote: ServeRemote,
): PathRoutes {
  const discoveryOf = createDiscovery({
    serverAddress: () => serverAddress(config.serving),
  });
  const openApi = openApiHandler(
    createOpenApi({ release: config.api.emulatedVersion, documentation: loadDocumentation }),
    serveRemote,
  );
  const issuer = openIdRoutes(accountTokens, () => serverAddress(config.serving));
  const core = coreDiscoveryHandler(discoveryOf, serveRemote);
  const groups = groupDiscoveryHandler(discoveryOf, serveRemote, peers);
  const slis = healthMetrics();
  const health = (['healthz', 'livez', 'readyz'] as const).map((endpoint) => ({
    endpoint,
    handle: healthHandler(endpoint, { checks: () => healthChecks(healthParts, endpoint), observe: slis.observe }),
  }));
  const version = { path: '/version', handle: versionHandler(config.api.emulatedVersion) };
  const services = serviceRoutes([...issuer, version]);
  const listedPaths = (context: RequestContext): string[] => {
    const own = health.flatMap(({ endpoint }) => [
      `/${endpoint}`,
      ...healthChecks(healthParts, endpoint).map(({ name }) => `/${endpoint}/${name}`),
    ]);
    return [
      ...discoveryOf(context.kinds.catalogue).paths(),
      ...fixedPaths,
      ...own,
      ...issuer.map(({ path }) => path),
      ...(config.logsFolder === undefined ? [] : [logFilesPath]),
      ...pages.map(({ path }) => path),
    ].toSorted();
  };
  const pages = openPages(config, listedPaths);
  const process = processRoutes(config, log);
  return {
    exact: new Map<string, PathHandler>([
      ...['/', '/index.html'].map((path) => [path, indexHandler(listedPaths)] as const),
      ['/api', core],
      ['/apis', groups],
      ['/metrics', metricsHandler(metrics, config)],
      ['/metrics/slis', metricsHandler(slis, config)],
      ...pages.map((page) => [page.path, componentPageHandler(page)] as const),
      ...flowControlPages(flowControl),
      ...process.exact,
      [snapshotPath, snapshotHandler(takeSnapshot)],
      ...upkeepRoutes(upkeep),
      ['/openapi/v2', openApi],
      ['/openapi/v3', counted({ subresource: 'openapi/v3' }, openApi)],
      ...services.exact,
      ...health.map(
        ({ endpoint, handle }) => [`/${endpoint}`, counted({ subresource: `/${endpoint}` }, handle)] as const,
      ),
    ]),
    prefixes: [
      { prefix: '/api/', handle: core },
      { prefix: '/apis/', handle: groups },
      ...process.prefixes,
      ...services.prefixes,
      { prefix: '/openapi/v3/', handle: counted({ subresource: 'openapi/v3/' }, openApi) },
      ...health.map(({ endpoint, handle }) => ({ prefix: `/${endpoint}/`, handle })),
    ],
  };
}

/** Pages about the process and its machine, of which a configuration may leave out some. */
function processRoutes(
  { logsFolder, profiling }: ServerConfig,
  { verbosity }: StageParts['log'],
): { readonly exact: readonly (readonly [string, PathHandler])[]; readonly prefixes: PathRoutes['prefixes'] } {
  const debugging = profiling.enabled ? [profileRoutes(), debugFlagRoutes(verbosity)] : [];
  const parts = [logFileRoutes(logsFolder), ...debugging];
  return { exact: parts.flatMap(({ exact }) => exact), prefixes: parts.flatMap(({ prefixes }) => prefixes) };
}

function indexHandler(pathsOf: (context: RequestContext) => readonly string[]): PathHandler {
  return (context) => {
    const object = { paths: [...pathsOf(context)] };
    return respondDocument(context, 200, { object, schema: undefined }, indentedJson);
  };
}

function versionHandler(emulatedVersion: string): PathHandler {
  return (context) => {
    if (context.exchange.method !== 'GET') throw methodNotAllowed();
    refuseUnrepresented(context.exchange.header('accept'), ['application/json']);
    const info = Buffer.from(encodeRaw(versionInfo(emulatedVersion)));
    return respondDocument(context, 200, { json: info }, indentedJson);
  };
}

function openPages({ api, flags }: ServerConfig, paths: ComponentPagesOptions['paths']): readonly ComponentPage[] {
  const { emulatedVersion } = api;
  const gates = gatesByConfig(api);
  return componentPages({ flags, emulatedVersion, paths }).filter(({ gate }) => gates.get(gate) === true);
}

/** When the process started: clients of `/metrics` tell from it when counts begin anew. */
const startedSeconds = Math.floor(performance.timeOrigin / 1_000);

/** As in the reference, who may profile the server may also have its counts begin anew. */
function metricsHandler(
  metrics: {
    readonly expose: (format: ExpositionFormat) => Promise<Exposition>;
    readonly reset: () => void | Promise<void>;
  },
  { profiling }: Pick<ServerConfig, 'profiling'>,
): PathHandler {
  return async (context) => {
    if (context.exchange.method === 'DELETE' && profiling.enabled) {
      await metrics.reset();
      return respondText(context, 200, 'metrics reset\n');
    }
    const { contentType, body } = await metrics.expose(expositionFormat(context.exchange.header('accept')));
    const headers = { ...apiHeaders(context, contentType), 'process-start-time-unix': startedSeconds };
    if (!prefersGzip(context.exchange.header('accept-encoding'))) return context.exchange.respond(200, headers, body);
    context.exchange.respond(200, { ...headers, 'content-encoding': 'gzip' }, await compress(body));
  };
}
