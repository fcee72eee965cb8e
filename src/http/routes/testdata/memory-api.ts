import { systemClock } from '../../../api/time/clock.ts';
import { noLog } from '../../../api/contracts/log.ts';
import { Metric } from '../../../api/metrics/metric.ts';
import { LiveCatalogue } from '../../../catalogue/live-catalogue.ts';
import { catalogueOf } from '../../../catalogue/testdata/catalogue-of.ts';
import { builtInBehaviour } from '../../../resources/built-in-behaviour.ts';
import { kindEnvironment } from '../../../resources/testdata/kind-environment.ts';
import { builtInResources } from '../../../schema/kubernetes/resources.ts';
import { ResourceScopes } from '../../../scopes/resource-scopes.ts';
import { StoreMetrics } from '../../../scopes/store-metrics.ts';
import { openEmbeddedStorage } from '../../../storage/embedded/engine.ts';
import { encodingTable } from '../../forms/encoding-table.ts';
import { formTable } from '../../forms/form-table.ts';
import { wireForms } from '../../negotiation/wire-forms.ts';
import { requestHandler } from '../../pipeline/request-handler.ts';
import { LargeBodyLimit } from '../../request/large-body-limit.ts';
import { OpenWatches } from '../../request/open-watches.ts';
import type { RequestServices } from '../../request/request-context.ts';
import { deadlineStage } from '../../stages/deadline.ts';
import { requestInfoStage } from '../../stages/request-info.ts';
import { BodyBudget } from '../../transport/body-budget.ts';
import { verbTable, verbsByName } from '../../verbs/verb-table.ts';
import { type ApiServices, serveResource } from '../api-routes.ts';
import { MemoryExchange, type MemoryRequest, type MemoryResponse } from './memory-exchange.ts';

/** The built-in kinds on a store in memory, from the path of a request to its response; everyone may do everything. */
export interface MemoryApi extends AsyncDisposable {
  /** Resolves when the response has begun, or has ended if it is not a stream. */
  send(method: string, target: string, more?: Omit<MemoryRequest, 'method' | 'target'>): Promise<MemoryResponse>;
  /** Errors that are not those of a client. */
  readonly faults: readonly unknown[];
}

/** What requests are served with; nobody is refused, and nothing is changed by admission. */
const services: ApiServices = {
  admission: { mutate: () => Promise.resolve(), validate: () => Promise.resolve() },
  authorizer: { authorize: () => ({ decision: 'allow', reason: '' }) },
  limits: { minWatchTimeoutMs: 60_000, deletionsAtOnce: 5 },
  features: { watchList: true, shardedLists: false, unsafeDeletion: false },
  virtual: new Map(),
  connects: new Map(),
  verbs: verbsByName(verbTable),
  serveRemote: () => Promise.reject(new Error('there is no other server')),
  servePeer: undefined,
};

export async function openMemoryApi(): Promise<MemoryApi> {
  const storage = await openEmbeddedStorage({ dataDir: undefined });
  const catalogue = new LiveCatalogue(catalogueOf(builtInResources(), builtInBehaviour(kindEnvironment())));
  const scopes = new ResourceScopes(catalogue, {
    storage,
    format: { encoding: 'json', schemaOf: () => undefined },
    prefix: '/registry',
    namesUnreadable: false,
    clock: systemClock,
    metrics: new StoreMetrics((definition) => new Metric(definition)),
  });
  const faults: unknown[] = [];
  const handle = requestHandler({
    stages: [
      requestInfoStage(verbTable),
      deadlineStage(10_000),
      { name: 'api', run: (context) => serveResource(context, services) },
    ],
    services: requestServices(scopes),
    onUnexpectedError: (_, error) => void faults.push(error),
  });
  return {
    faults,
    send(method, target, more = {}) {
      const exchange = new MemoryExchange({ method, target, ...more });
      handle(exchange);
      return exchange.responded.promise;
    },
    async [Symbol.asyncDispose]() {
      scopes[Symbol.dispose]();
      await storage[Symbol.asyncDispose]();
    },
  };
}

function requestServices(scopes: ResourceScopes): RequestServices {
  return {
    clock: systemClock,
    log: noLog,
    verbs: services.verbs,
    kinds: () => scopes.now,
    compression: { responses: false, watchLists: false },
    wireForms: wireForms(encodingTable, formTable),
    largeBodies: new LargeBodyLimit(),
    bodies: new BodyBudget(),
    transportSecurity: '',
    watches: new OpenWatches(),
  };
}
