import { Peers } from '../../aggregation/peers/peers.ts';
import type { Client } from '../../api/client/client.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import { readAuthorities } from '../../authentication/client-authorities.ts';
import type { FrontProxy } from '../../authentication/pki/front-proxy.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { LiveCatalogue } from '../../catalogue/live-catalogue.ts';
import { isCustomVersion } from '../../http/routes/non-resource-routes.ts';
import { Upstream } from '../../outgoing/upstream.ts';
import { ProxyCredentials } from '../aggregation/proxy-credentials.ts';
import type { ServerConfig } from '../config.ts';
import { gatesByConfig } from '../kinds/served-by-config.ts';
import { serverId } from '../server-id.ts';
import type { Store } from '../store/store.ts';
import { PeerEndpoints } from './peer-endpoint.ts';

export interface PeersParts extends PartContext {
  readonly config: ServerConfig;
  readonly store: Store;
  readonly catalogue: LiveCatalogue;
  readonly client: Client;
  readonly frontProxy: FrontProxy | undefined;
}

/** All servers have a certificate for it. */
const servername = 'kubernetes.default.svc';

/** The other servers of the store; undefined if no flag says whose certificates they have, or there can be none. */
export async function openPeers(parts: PeersParts): Promise<Peers | undefined> {
  const { config, store, catalogue, client, metric, onError, onStop } = parts;
  const { caFile, hostName } = config.peers;
  if (caFile === undefined || !store.isShared || !peersAreOn(config)) return undefined;
  const ca = await parts.readFile(caFile);
  readAuthorities(caFile, ca);
  const credentials = await ProxyCredentials.read(config.aggregation, parts);
  await credentials.prepare();
  const upstream = new Upstream({ ca, ...credentials.current, servername }, { egress: parts.egress?.controlplane });
  onStop(() => upstream[Symbol.dispose]());
  const endpoints = new PeerEndpoints(store, config.storage.prefix);
  return new Peers({
    client,
    upstream,
    metric,
    onError,
    onStop,
    serverId: serverId(hostName),
    addressOf: (id) => endpoints.addressOf(id),
    isForeign: (group, version) => isForeign(catalogue.current, group, version),
  });
}

export function peersAreOn({ api }: Pick<ServerConfig, 'api'>): boolean {
  return gatesByConfig(api).get('UnknownVersionInteroperabilityProxy') === true;
}

function isForeign(catalogue: Catalogue, group: string, version: string): boolean {
  return catalogue.remote(group, version) !== undefined || isCustomVersion(catalogue, group, version);
}
