import { Aggregator } from '../../aggregation/aggregator.ts';
import type { MakeQueue } from '../../aggregation/queue.ts';
import { apiServices } from '../../aggregation/api-service.ts';
import { automanagedLabel } from '../../aggregation/wanted-services.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import { alwaysAllow } from '../../authorization/always.ts';
import type { FrontProxy } from '../../authentication/pki/front-proxy.ts';
import type { LiveCatalogue } from '../../catalogue/live-catalogue.ts';
import type { QueueMetrics } from '../../controllers/queue-metrics.ts';
import { NotYet, WorkQueue } from '../../controllers/work-queue.ts';
import { routedServices } from '../../outgoing/service-resolver.ts';
import { prefixEnd, type Storage } from '../../storage/contract.ts';
import type { ServerConfig } from '../config.ts';
import type { FollowedDefinitions } from '../kinds/definitions.ts';
import { firstChange } from '../../scopes/first-work.ts';
import { InProcessClient } from '../../client/in-process-client.ts';
import type { OpenKindOptions } from '../../scopes/open-kind.ts';
import { ResourceScopes } from '../../scopes/resource-scopes.ts';
import { noAdmission, serverManager, systemUser } from '../../system/system-operation.ts';
import { PreparedStorage } from './prepared-storage.ts';
import { ProxyCredentials } from './proxy-credentials.ts';

/** Where kinds are stored. */
export type StorageOptions = Omit<OpenKindOptions, 'running'>;

/** Options with which APIServices are complete before they are read or written. */
export function preparedStorage(options: StorageOptions, aggregator: () => Aggregator): StorageOptions {
  const { storage, storageOf } = options;
  let prepared: Storage | undefined;
  return {
    ...options,
    storageOf(stored) {
      const below = storageOf?.(stored) ?? storage;
      if (stored.group !== apiServices.group || stored.plural !== apiServices.resource) return below;
      prepared ??= new PreparedStorage(below, () => aggregator().registered());
      return prepared;
    },
  };
}

export interface AggregatorParts extends PartContext {
  readonly queues: QueueMetrics;
  /** Undefined where flags name the certificate that other servers are shown. */
  readonly frontProxy: FrontProxy | undefined;
  readonly config: Pick<ServerConfig, 'aggregation'>;
  readonly catalogue: LiveCatalogue;
  readonly definitions: Pick<FollowedDefinitions, 'isComplete' | 'settled'>;
  /** Where requests find kinds. */
  readonly scopes: ResourceScopes;
  /** The stores of kinds, with APIServices that may be incomplete. */
  readonly unprepared: StorageOptions;
}

export interface OpenAggregator {
  readonly aggregator: Aggregator;
  /**
   * Resolves when versions of other servers are in the catalogue, or cannot be read yet; without any, the aggregator
   * sleeps.
   */
  readonly begin: () => Promise<void>;
}

export async function openAggregator(parts: AggregatorParts): Promise<OpenAggregator> {
  const { config, catalogue, definitions, scopes, unprepared, clock, metric, onError, onStop } = parts;
  const bare = new ResourceScopes(catalogue, unprepared);
  const own = { clock, admission: noAdmission, authorizer: alwaysAllow, user: systemUser, manager: serverManager };
  const client = new InProcessClient({ ...own, scopes });
  const credentials = await ProxyCredentials.read(config.aggregation, parts);
  const aggregator = new Aggregator({
    client,
    registering: new InProcessClient({ ...own, scopes: bare }),
    catalogue,
    definitions,
    clock,
    metric,
    onError,
    makeQueue: queueMaker(parts),
    resolve: routedServices(client, config.aggregation),
    egress: parts.egress?.cluster,
    prepare: () => credentials.prepare(),
    credentials: () => credentials.current,
  });
  credentials.follow(() => aggregator.remote.renewCredentials());
  const stop = new AbortController();
  onStop(async () => {
    stop.abort();
    await aggregator[Symbol.asyncDispose]();
    bare[Symbol.dispose]();
  });
  return { aggregator, begin: () => begin(aggregator, bare, stop.signal) };
}

async function begin(aggregator: Aggregator, scopes: ResourceScopes, signal: AbortSignal): Promise<void> {
  const { group, version, resource } = apiServices;
  const store = scopes.now.scopeOf(group, version, resource)?.store;
  if (store === undefined) return;
  const start = store.keyPrefix;
  const { kvs, revision } = await store.storage.range({ start, end: prefixEnd(start) });
  if (kvs.some(({ value }) => isOfUser(value))) return aggregator.tried();
  void firstChange([store], { afterRevision: revision, signal }).then(() =>
    signal.aborted ? undefined : aggregator.awake(),
  );
}

/**
 * Whether an APIService names another server, or is not managed by this one. In stored JSON; other occurrences only
 * wake the aggregator early.
 */
function isOfUser(value: Uint8Array): boolean {
  const text = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return text.includes('"service":') || !text.includes(automanagedLabel);
}

function queueMaker({ onError, queues }: AggregatorParts): MakeQueue {
  return ({ work, name, ...options }) =>
    new WorkQueue({
      ...options,
      onError,
      metric: queues.of(name),
      async work(key) {
        if ((await work(key)) === 'again') throw new NotYet();
      },
    });
}
