import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import { pause } from '../../api/scheduling/pause.ts';
import type { CallAddress } from '../../outgoing/call-address.ts';
import type { UnservedObjects } from '../../registry/stored/unserved-objects.ts';
import type { ServerConfig } from '../config.ts';
import type { Leaving } from '../lifecycle.ts';
import { advertisedHost } from '../listening/serving.ts';
import type { Store } from '../store/store.ts';
import { unservedObjects } from '../services/service-registers.ts';

/** Where a server is reached by others is kept for this long after it was last told. */
const leaseSeconds = 15;
const intervalMs = 10_000;

/** Where other servers of the store reach this one, which listens on `port`. */
export function peerAddress({ peers, serving }: Pick<ServerConfig, 'peers' | 'serving'>, port: number): CallAddress {
  const { advertiseIp, advertisePort } = peers;
  const isGiven = advertiseIp !== '' && advertisePort !== '';
  return isGiven ? { host: advertiseIp, port: Number(advertisePort) } : { host: advertisedHost(serving), port };
}

/** The addresses of the servers of a store, as kube-apiserver keeps them under `/registry/peerserverleases/`. */
export class PeerEndpoints {
  readonly #objects: UnservedObjects;
  readonly #prefix: string;

  constructor(store: Pick<Store, 'storage' | 'format'>, prefix: string) {
    this.#objects = unservedObjects('Endpoints', store);
    this.#prefix = `${prefix}/peerserverleases/`;
  }

  async renew(serverId: string, { host, port }: CallAddress): Promise<void> {
    const key = `${this.#prefix}${serverId}`;
    for (;;) {
      const { object, modRevision: expected } = await this.#objects.read(key);
      // A write without a change would be skipped.
      const metadata = { generation: generationOf(object) + 1, labels: { apiserverIdentity: serverId } };
      const subsets = [{ addresses: [{ ip: host }], ports: [{ name: 'https', port, protocol: 'TCP' }] }];
      const options = { expected, ttlSeconds: leaseSeconds };
      if ((await this.#objects.replace(key, { metadata, subsets }, options)) !== undefined) return;
    }
  }

  async remove(serverId: string): Promise<void> {
    await this.#objects.delete(`${this.#prefix}${serverId}`);
  }

  async addressOf(serverId: string): Promise<CallAddress | undefined> {
    const { object } = await this.#objects.read(`${this.#prefix}${serverId}`);
    const [subset] = itemsOf(object?.['subsets']);
    const [address] = itemsOf(subset?.['addresses']);
    const [place] = itemsOf(subset?.['ports']);
    const [host, port] = [address?.['ip'], place?.['port']];
    return typeof host === 'string' && typeof port === 'number' ? { host, port } : undefined;
  }
}

/** Tells where the server is reached, until it leaves. */
export function holdPeerEndpoint(
  endpoints: PeerEndpoints,
  { serverId, address }: { readonly serverId: string; readonly address: CallAddress },
  { onError, onStop, onLeave }: Pick<PartContext, 'onError' | 'onStop'> & Leaving,
): void {
  const stop = new AbortController();
  const renewing = (async () => {
    while (!stop.signal.aborted) {
      await endpoints.renew(serverId, address).catch(onError);
      await pause(intervalMs, stop.signal);
    }
  })();
  let left: Promise<void> | undefined;
  const leave = async (): Promise<void> => {
    stop.abort();
    await renewing;
    await endpoints.remove(serverId).catch(onError);
  };
  onLeave(() => (left ??= leave()));
  onStop(() => (left ??= leave()));
}

function generationOf(object: JsonObject | undefined): number {
  const metadata = object?.['metadata'];
  const generation = isJsonObject(metadata) ? metadata['generation'] : 0;
  return typeof generation === 'number' ? generation : 0;
}

function itemsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
