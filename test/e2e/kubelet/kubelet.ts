import { setInterval } from 'node:timers/promises';
import type { JsonObject } from '../../../src/api/json/json.ts';
import { NodeClient } from './node-client.ts';
import { kubeletPort, type ServerCredentials, startKubeletServer } from './kubelet-server.ts';
import type { Pod } from './pod.ts';
import { timeOf } from './pod-status.ts';
import { PodWorker, type WorkerOptions } from './pod-worker.ts';

export interface KubeletOptions extends Pick<WorkerOptions, 'service'> {
  readonly nodeName: string;
  readonly address: string;
  readonly folder: string;
  readonly serverUrl: string;
  /** The kubeconfig of the user `system:node:NAME`. */
  readonly kubeconfigPath: string;
  readonly credentials: ServerCredentials;
  /** The version of the release whose kubelet it takes the place of. */
  readonly version: string;
}

const renewalMs = 10_000;
const leaseSeconds = 40;
const mergePatch = 'application/merge-patch+json';

/**
 * A kubelet for tests of API servers. Containers of [known images](images.ts) are processes of this machine, each with
 * a root folder of its own and in the network of its pod; those of other images are only said to run. It needs to be
 * root in a network namespace of its own.
 *
 * | has | has not |
 * |---|---|
 * | Node and Lease, status of pods and containers, restarts, init containers, termination with its grace period | resources, cgroups, capabilities, evictions, events |
 * | volumes: secret, config map, downward API, projected (with tokens and trust bundles), emptyDir | other volumes; updates of their contents |
 * | readiness probes and gates | liveness and startup probes, lifecycle hooks |
 * | logs, exec | attach, port forwarding |
 */
export class Kubelet implements AsyncDisposable {
  readonly #options: KubeletOptions;
  readonly #client: NodeClient;
  readonly #stopping = new AbortController();
  /** By UID. */
  readonly #workers = new Map<string, PodWorker>();
  /** By namespace and name. */
  readonly #uids = new Map<string, string>();
  readonly #running: Promise<unknown>[] = [];
  #server: AsyncDisposable | undefined;

  private constructor(options: KubeletOptions, client: NodeClient) {
    this.#options = options;
    this.#client = client;
  }

  /** Resolves once its Node takes pods. */
  static async start(options: KubeletOptions): Promise<Kubelet> {
    const { address, credentials } = options;
    const kubelet = new Kubelet(options, await NodeClient.connect(options.serverUrl, options.kubeconfigPath));
    kubelet.#server = await startKubeletServer(address, credentials, (namespace, name) =>
      kubelet.#workers.get(kubelet.#uids.get(`${namespace}/${name}`) ?? ''),
    );
    await kubelet.#register();
    kubelet.#running.push(kubelet.#renewLease(), kubelet.#followPods());
    await kubelet.#untilSchedulable();
    return kubelet;
  }

  /** New nodes have a taint until a controller finds them ready. */
  async #untilSchedulable(): Promise<void> {
    const query = `fieldSelector=${encodeURIComponent(`metadata.name=${this.#options.nodeName}`)}`;
    const { signal } = this.#stopping;
    for await (const { object } of this.#client.watch(`/api/v1/nodes?watch=1&${query}`, signal)) {
      const { taints = [] } = object['spec'] as { readonly taints?: readonly unknown[] };
      if (taints.length === 0) return;
    }
    throw new Error(`${this.#options.nodeName} takes no pods`);
  }

  async #register(): Promise<void> {
    const { nodeName: name, address, version } = this.#options;
    const labels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' };
    const capacity = { cpu: '16', memory: '64Gi', pods: '250', 'ephemeral-storage': '200Gi' };
    const now = timeOf(Date.now());
    const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', lastTransitionTime: now };
    const systemInfo = { machineID: name, systemUUID: name, bootID: name, kernelVersion: '6.0.0', osImage: 'Linux' };
    await this.#client.send('POST', '/api/v1/nodes', {
      metadata: { name, labels },
      status: {
        capacity,
        allocatable: capacity,
        addresses: [
          { type: 'InternalIP', address },
          { type: 'Hostname', address: name },
        ],
        daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } },
        conditions: [{ ...ready, lastHeartbeatTime: now, message: 'kubelet is posting ready status' }],
        nodeInfo: {
          ...systemInfo,
          containerRuntimeVersion: 'process://1',
          kubeletVersion: version,
          kubeProxyVersion: '',
          operatingSystem: 'linux',
          architecture: 'amd64',
        },
      },
    });
  }

  async #renewLease(): Promise<void> {
    const { nodeName: name } = this.#options;
    const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
    const spec = (): JsonObject => ({
      holderIdentity: name,
      leaseDurationSeconds: leaseSeconds,
      renewTime: new Date().toISOString().replace('Z', '000Z'),
    });
    await this.#client.send('POST', leases, { metadata: { name }, spec: spec() });
    const { signal } = this.#stopping;
    try {
      for await (const _ of setInterval(renewalMs, undefined, { signal })) {
        await this.#client.send('PATCH', `${leases}/${name}`, { spec: spec() }, mergePatch);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Lists and watches, anew whenever a watch ends. */
  async #followPods(): Promise<void> {
    const { signal } = this.#stopping;
    const query = `fieldSelector=${encodeURIComponent(`spec.nodeName=${this.#options.nodeName}`)}`;
    while (!signal.aborted) {
      const list = await this.#client.send('GET', `/api/v1/pods?${query}`);
      const items = list['items'] as unknown as readonly Pod[]; // pods were asked for
      for (const pod of items) this.#take(pod);
      const left = new Set(items.map(({ metadata }) => metadata.uid));
      for (const uid of this.#workers.keys()) if (!left.has(uid)) this.#remove(uid);
      const { resourceVersion } = list['metadata'] as { readonly resourceVersion: string };
      const path = `/api/v1/pods?watch=true&${query}&resourceVersion=${resourceVersion}`;
      try {
        for await (const { type, object } of this.#client.watch(path, signal)) {
          if (type === 'ERROR') break;
          const pod = object as unknown as Pod; // as above
          if (type === 'DELETED') this.#remove(pod.metadata.uid);
          else this.#take(pod);
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
  }

  #take(pod: Pod): void {
    const { uid, namespace, name } = pod.metadata;
    const known = this.#workers.get(uid);
    if (known !== undefined) return known.update(pod);
    const { phase } = pod.status;
    if (phase === 'Succeeded' || phase === 'Failed') return;
    const { address, folder, service } = this.#options;
    const worker = new PodWorker(pod, { client: this.#client, nodeAddress: address, folder, service, onError });
    this.#workers.set(uid, worker);
    this.#uids.set(`${namespace}/${name}`, uid);
    worker.start().catch(onError);
  }

  #remove(uid: string): void {
    const worker = this.#workers.get(uid);
    if (worker === undefined) return;
    this.#workers.delete(uid);
    void worker.remove();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#workers.values()].map((worker) => worker.remove()));
    await Promise.allSettled(this.#running);
    await this.#server?.[Symbol.asyncDispose]();
    this.#client[Symbol.dispose]();
  }
}

/** One pod that fails leaves the others alone. */
function onError(error: unknown): void {
  process.stderr.write(`kubelet: ${error instanceof Error ? error.message : String(error)}\n`);
}
