import { setTimeout as sleep } from 'node:timers/promises';
import { aggregatedParameters } from '../../api/contracts/aggregated-form.ts';
import type { Client } from '../../api/client/client.ts';
import { identityLabel, identityLeaseCollection, identityOfServers } from '../../api/meta/identity-lease.ts';
import type { JsonObject, JsonValue } from '../../api/json/json.ts';
import { joinHostPort } from '../../api/text/host-port.ts';
import { Mirror } from '../../api/client/mirror.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import type { CallAddress } from '../../outgoing/call-address.ts';
import { HttpCaller } from '../../outgoing/http-call.ts';
import type { Upstream } from '../../outgoing/upstream.ts';
import { type PeerDiscovery, readPeerDiscovery, resourceKey } from './peer-discovery.ts';

/** A request with it has been passed on by another server, and is not passed on again. */
export const peerProxiedHeader = 'x-kubernetes-peer-proxied';

export interface PeersOptions extends Pick<PartContext, 'metric' | 'onError' | 'onStop'> {
  readonly client: Client;
  /** The name of this server's Lease. */
  readonly serverId: string;
  /** Connections to the others, with their authorities and this server's certificate. */
  readonly upstream: Upstream;
  /** Where the server with this identity is reached; undefined: it is not known. */
  readonly addressOf: (serverId: string) => Promise<CallAddress | undefined>;
  /** Whether every server of the store serves a version: it is one of custom resources or of another server. */
  readonly isForeign: (group: string, version: string) => boolean;
}

const aggregatedType = `application/json;${aggregatedParameters}`;
const accept = `${aggregatedType};profile=nopeer,${aggregatedType},application/json`;
const self = { 'x-remote-user': 'system:apiserver', 'x-remote-group': 'system:authenticated' };
const callLimits = { timeoutMs: 5_000, maxResponseBytes: 16 * 1024 * 1024 };
const firstRetryMs = 100;
const lastRetryMs = 10_000;
const maxTries = 20;

/** The other servers of the store, as their identity Leases tell, and what they serve. */
export class Peers {
  readonly upstream: Upstream;
  readonly #options: PeersOptions;
  readonly #caller: HttpCaller;
  readonly #stop = new AbortController();
  /** By identity, with the holder of the Lease, which differs after a restart. */
  readonly #holders = new Map<string, string>();
  readonly #served = new Map<string, PeerDiscovery>();
  readonly #failed: (type: string) => void;
  #groups: readonly (readonly JsonObject[])[] = [];

  constructor(options: PeersOptions) {
    this.#options = options;
    this.upstream = options.upstream;
    this.#caller = new HttpCaller(options.upstream);
    const errors = options.metric({
      name: 'apiserver_peer_discovery_sync_errors_total',
      help: '[ALPHA] Failures to learn from another server of the store what it serves, by type.',
      type: 'counter',
      labelNames: ['type'],
    });
    this.#failed = (type) => errors.add({ type });
    options.onStop(() => this.#stop.abort());
  }

  /** Resolves once the Leases are known. */
  async start(): Promise<void> {
    const { client, onError } = this.#options;
    const { signal } = this.#stop;
    await new Mirror({
      client,
      onError,
      signal,
      collection: identityLeaseCollection,
      set: (lease) => this.#hear(lease),
      remove: ({ name }) => this.#forget(name),
    }).startRetrying();
  }

  /** The items of `/apis` that others have told, by server; the same array until that changes. */
  get groups(): readonly (readonly JsonObject[])[] {
    return this.#groups;
  }

  /** The servers that serve a resource. */
  servingIds(resource: { readonly group: string; readonly version: string; readonly resource: string }): string[] {
    const key = resourceKey(resource);
    return [...this.#served].filter(([, { resources }]) => resources.has(key)).map(([id]) => id);
  }

  /** The address of one of the servers; undefined: none has one. */
  async address(ids: readonly string[]): Promise<CallAddress | undefined> {
    const found = (await Promise.all(ids.map((id) => this.#options.addressOf(id)))).filter(
      (each) => each !== undefined,
    );
    return found[Math.floor(Math.random() * found.length)];
  }

  #hear(lease: KubernetesObject): void {
    const { name = '', labels = {} } = lease.metadata;
    if (name === this.#options.serverId || labels[identityLabel] !== identityOfServers) return;
    const { holderIdentity } = lease['spec'] as { readonly holderIdentity?: string }; // of a Lease
    if (holderIdentity === undefined || this.#holders.get(name) === holderIdentity) return;
    this.#holders.set(name, holderIdentity);
    void this.#learn(name, holderIdentity);
  }

  #forget(name: string): void {
    if (!this.#holders.delete(name)) return;
    this.#served.delete(name);
    this.#changed();
  }

  #changed(): void {
    this.#groups = [...this.#served]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { groups }]) => groups);
  }

  /** A server that has just started may not be reached yet. */
  async #learn(id: string, holder: string): Promise<void> {
    for (let tries = 0, waitMs = firstRetryMs; tries < maxTries; tries += 1) {
      if (this.#stop.signal.aborted || this.#holders.get(id) !== holder) return;
      try {
        this.#served.set(id, await this.#ask(id));
        return this.#changed();
      } catch (error) {
        if (tries === maxTries - 1) this.#options.onError(error);
      }
      await sleep(waitMs, undefined, { ref: false });
      waitMs = Math.min(2 * waitMs, lastRetryMs);
    }
  }

  async #ask(id: string): Promise<PeerDiscovery> {
    const address = await this.#options.addressOf(id);
    if (address === undefined) {
      this.#failed('hostport_resolution');
      throw new Error(`the server ${id} has not said where it is reached`);
    }
    const lists = await Promise.all(['/api', '/apis'].map((path) => this.#list(address, path)));
    return readPeerDiscovery(lists, this.#options.isForeign);
  }

  async #list(address: CallAddress, path: string): Promise<JsonValue> {
    const url = new URL(`https://${joinHostPort(address)}${path}`);
    const headers = { accept, [peerProxiedHeader]: 'true', ...self };
    try {
      const { status, body } = await this.#caller.call({ method: 'GET', url, headers, ...callLimits });
      if (status !== 200) throw new Error(`discovery request failed with status: ${status}`);
      return JSON.parse(body.toString()) as JsonValue; // JSON
    } catch (error) {
      this.#failed('fetch_discovery');
      throw error;
    }
  }
}
