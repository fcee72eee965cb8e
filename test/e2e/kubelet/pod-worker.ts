import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Container, type ExitState } from './container.ts';
import { environmentOf, expand } from './environment.ts';
import { imageOf } from './images.ts';
import { ApiError, type NodeClient } from './node-client.ts';
import type { ContainerSpec, Pod } from './pod.ts';
import { PodNetwork } from './pod-network.ts';
import { type Addresses, type ContainerState, statusOf, timeOf } from './pod-status.ts';
import { probeReadiness } from './probe.ts';
import { writeVolumes } from './volumes.ts';

export interface WorkerOptions {
  readonly client: NodeClient;
  readonly nodeAddress: string;
  /** For the files of all pods. */
  readonly folder: string;
  /** The service of the API server, and its names. */
  readonly service: { readonly host: string; readonly port: number; readonly names: readonly string[] };
  /** Called with errors that the status of the pod does not show. */
  readonly onError: (error: unknown) => void;
}

const retryMs = 500;
const longestBackoffMs = 300_000;

/** Runs one pod, from when it is bound to the node until it is deleted. */
export class PodWorker {
  #pod: Pod;
  readonly #options: WorkerOptions;
  readonly #folder: string;
  readonly #startedAt = timeOf(Date.now());
  readonly #states = new Map<string, ContainerState>();
  /** Containers with a process, the last one of each name. */
  readonly #containers = new Map<string, Container>();
  readonly #runs: Promise<boolean>[] = [];
  readonly #stopping = new AbortController();
  #network: PodNetwork | undefined;
  #ending: Promise<void> | undefined;
  /** The object is gone, or will be by our request. */
  #isGone = false;
  #reported = '';
  #reporting: Promise<void> = Promise.resolve();

  constructor(pod: Pod, options: WorkerOptions) {
    this.#pod = pod;
    this.#options = options;
    this.#folder = join(options.folder, pod.metadata.uid);
    for (const spec of pod.spec.initContainers ?? []) this.#states.set(spec.name, waiting(spec, true));
    for (const spec of pod.spec.containers) this.#states.set(spec.name, waiting(spec, false));
  }

  get uid(): string {
    return this.#pod.metadata.uid;
  }

  container(name: string): Container | undefined {
    return this.#containers.get(name);
  }

  hasContainer(name: string): boolean {
    return this.#states.has(name);
  }

  /** The object has changed. */
  update(pod: Pod): void {
    this.#pod = pod;
    if (pod.metadata.deletionTimestamp === undefined) return this.#report();
    void this.#end((pod.metadata.deletionGracePeriodSeconds ?? 0) * 1000);
  }

  /** The object was deleted. */
  async remove(): Promise<void> {
    this.#isGone = true;
    await this.#end(0);
  }

  /** Runs it; fulfilled when all its containers have been started. */
  async start(): Promise<void> {
    if (this.#pod.metadata.deletionTimestamp !== undefined) return this.update(this.#pod);
    const needsNetwork = this.#pod.spec.hostNetwork !== true;
    if (needsNetwork) {
      const network = await PodNetwork.open();
      if (this.#isEnding) return network[Symbol.asyncDispose]();
      this.#network = network;
    }
    this.#report();
    await this.#prepare();
    for (const { name, restartPolicy } of this.#pod.spec.initContainers ?? []) {
      const ended = this.#run(name);
      this.#runs.push(ended);
      // One that goes on beside the others is only started before them.
      if (restartPolicy !== 'Always' && !(await ended)) return;
    }
    for (const { name } of this.#pod.spec.containers) this.#runs.push(this.#run(name));
  }

  get #isEnding(): boolean {
    return this.#isGone || this.#ending !== undefined;
  }

  get #addresses(): Addresses {
    const node = this.#options.nodeAddress;
    const isOnNode = this.#pod.spec.hostNetwork === true;
    return { node, pod: isOnNode ? node : (this.#network?.address ?? '') };
  }

  get #context() {
    return { client: this.#options.client, pod: this.#pod, addresses: this.#addresses };
  }

  /** Writes what containers mount; tries again until all of it is there. */
  async #prepare(): Promise<void> {
    const { hostname, initContainers = [], containers } = this.#pod.spec;
    if (![...initContainers, ...containers].some(({ image }) => imageOf(image) !== undefined)) return;
    const etc = join(this.#folder, 'etc');
    await mkdir(etc, { recursive: true });
    const { service } = this.#options;
    const hosts = [
      { ip: '127.0.0.1', hostnames: ['localhost'] },
      { ip: this.#addresses.pod, hostnames: [hostname ?? this.#pod.metadata.name] },
      // In place of a DNS server.
      { ip: service.host, hostnames: service.names },
      ...(this.#pod.spec.hostAliases ?? []),
    ];
    await writeFile(join(etc, 'hosts'), hosts.map(({ ip, hostnames }) => `${ip} ${hostnames.join(' ')}\n`).join(''));
    await writeFile(join(etc, 'passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
    await writeFile(join(etc, 'group'), 'root:x:0:\n');
    await this.#untilItSucceeds(
      () => writeVolumes(join(this.#folder, 'volumes'), this.#context),
      [...this.#states.keys()],
    );
  }

  /** What fails is the message of these containers until it succeeds or the pod ends. */
  async #untilItSucceeds<T>(attempt: () => Promise<T>, names: readonly string[]): Promise<T | undefined> {
    while (!this.#isEnding) {
      try {
        return await attempt();
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        for (const name of names) this.#set(name, { message });
        this.#report();
        await this.#pause(retryMs);
      }
    }
    return undefined;
  }

  /** Runs a container, as often as the pod's policy says; whether it ended well at last. */
  async #run(name: string): Promise<boolean> {
    const { spec, isInit } = this.#state(name);
    if (imageOf(spec.image) === undefined) return this.#assume(name);
    const { restartPolicy = 'Always' } = this.#pod.spec;
    const always = spec.restartPolicy === 'Always' || (restartPolicy === 'Always' && !isInit);
    for (let restarts = 0; !this.#isEnding; restarts += 1) {
      this.#set(name, { restarts });
      const exit = await this.#runOnce(name);
      if (exit === undefined) return false;
      this.#set(name, { phase: 'terminated', isReady: false, exit });
      this.#report();
      if (exit.exitCode === 0 && !always) return true;
      if (restartPolicy === 'Never' && !always) return false;
      const backoffMs = restarts === 0 ? 0 : Math.min(10_000 * 2 ** (restarts - 1), longestBackoffMs);
      if (backoffMs > 0) this.#set(name, { phase: 'waiting', reason: 'CrashLoopBackOff' });
      this.#report();
      await this.#pause(backoffMs);
    }
    return false;
  }

  /** Reports a container whose image this machine does not have as running, or as ended if others wait for it. */
  #assume(name: string): boolean {
    const { spec, isInit } = this.#state(name);
    const now = Date.now();
    if (isInit && spec.restartPolicy !== 'Always') {
      this.#set(name, {
        phase: 'terminated',
        isReady: true,
        exit: { exitCode: 0, startedAtMs: now, finishedAtMs: now },
      });
    } else this.#set(name, { phase: 'running', isReady: true, startedAtMs: now });
    this.#report();
    return true;
  }

  async #runOnce(name: string): Promise<ExitState | undefined> {
    const { spec } = this.#state(name);
    const container = await this.#untilItSucceeds(() => this.#startContainer(spec), [name]);
    if (container === undefined) return undefined;
    this.#containers.set(name, container);
    const { readinessProbe } = spec;
    const isReady = readinessProbe === undefined;
    this.#set(name, { phase: 'running', startedAtMs: container.startedAtMs, isReady });
    this.#report();
    if (readinessProbe !== undefined) {
      const probed = { spec, container, address: this.#addresses.pod };
      const probing = probeReadiness(readinessProbe, probed, (ready) => {
        if (!container.isRunning) return;
        this.#set(name, { isReady: ready });
        this.#report();
      });
      probing.catch(this.#options.onError);
    }
    // One that came while the pod was ending.
    return this.#isEnding ? container.stop(0) : container.exit;
  }

  async #startContainer(spec: ContainerSpec): Promise<Container> {
    const image = imageOf(spec.image);
    if (image === undefined) throw new Error(`there is no image ${spec.image}`);
    const environment = await environmentOf(spec, this.#context, this.#options.service);
    const entrypoint = spec.command ?? image.entrypoint;
    // The image's own arguments belong to its own entrypoint.
    const args = spec.args ?? (spec.command === undefined ? image.arguments : []);
    const { runAsUser = 0, runAsGroup = 0, fsGroup } = { ...this.#pod.spec.securityContext, ...spec.securityContext };
    return Container.start({
      root: join(this.#folder, 'roots', spec.name),
      networkCommand: this.#network?.command ?? [],
      mounts: new Map([
        ['/etc', join(this.#folder, 'etc')],
        ...Object.entries(image.programs),
        ...(spec.volumeMounts ?? []).map(
          ({ name, mountPath, subPath = '' }) => [mountPath, join(this.#folder, 'volumes', name, subPath)] as const,
        ),
      ]),
      command: [...entrypoint, ...args].map((part) => expand(part, environment)),
      environment,
      workingFolder: spec.workingDir ?? '/',
      user: { id: runAsUser, groupId: runAsGroup, otherGroupIds: fsGroup === undefined ? [] : [fsGroup] },
    });
  }

  /** Shorter if the pod ends. */
  async #pause(ms: number): Promise<void> {
    const { signal } = this.#stopping;
    await sleep(ms, undefined, { signal }).catch(() => undefined); // only aborted
  }

  #end(gracePeriodMs: number): Promise<void> {
    this.#ending ??= this.#terminate(gracePeriodMs).catch(this.#options.onError);
    return this.#ending;
  }

  async #terminate(gracePeriodMs: number): Promise<void> {
    this.#stopping.abort();
    const running = [...this.#containers].filter(([, container]) => container.isRunning);
    await Promise.all(running.map(([, container]) => container.stop(gracePeriodMs)));
    await Promise.all(this.#runs);
    await this.#reporting;
    if (!this.#isGone) await this.#deleteObject();
    await this.#network?.[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #deleteObject(): Promise<void> {
    this.#isGone = true;
    const body = { gracePeriodSeconds: 0, preconditions: { uid: this.uid } };
    await this.#unlessGone(() => this.#options.client.send('DELETE', this.#path, body));
  }

  get #path(): string {
    const { namespace, name } = this.#pod.metadata;
    return `/api/v1/namespaces/${namespace}/pods/${name}`;
  }

  #state(name: string): ContainerState {
    const state = this.#states.get(name);
    if (state === undefined) throw new Error(`the pod has no container ${name}`);
    return state;
  }

  #set(name: string, change: Partial<ContainerState>): void {
    this.#states.set(name, { ...this.#state(name), ...change });
  }

  /** Writes the status if it has changed, once the status before it has been written. */
  #report(): void {
    this.#reporting = this.#reporting.then(() => this.#writeStatus()).catch(this.#options.onError);
  }

  async #writeStatus(): Promise<void> {
    if (this.#isGone) return;
    const status = statusOf(this.#pod, [...this.#states.values()], this.#addresses, this.#startedAt);
    const text = withoutTimes(status);
    if (text === this.#reported) return;
    this.#reported = text;
    const body = { metadata: { uid: this.uid }, status };
    const contentType = 'application/strategic-merge-patch+json';
    await this.#unlessGone(() => this.#options.client.send('PATCH', `${this.#path}/status`, body, contentType));
  }

  /** The object may be deleted, and made anew, by others at any time. */
  async #unlessGone(request: () => Promise<unknown>): Promise<void> {
    try {
      await request();
    } catch (error) {
      if (!(error instanceof ApiError) || (error.code !== 404 && error.code !== 409)) throw error;
    }
  }
}

function waiting(spec: ContainerSpec, isInit: boolean): ContainerState {
  return { spec, isInit, phase: 'waiting', isReady: false, startedAtMs: 0, restarts: 0 };
}

function withoutTimes(status: object): string {
  return JSON.stringify(status, (key, value: unknown) => (key === 'lastTransitionTime' ? undefined : value));
}
