import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../src/api/json/json.ts';
import type { ApiClient } from '../../api-client.ts';
import { inParallel } from '../../in-parallel.ts';
import {
  customGroup,
  type Deletion,
  type GraphEdge,
  type GraphKind,
  graphKinds,
  graphOf,
  hold,
  type OwnershipGraph,
  policies,
} from './graphs.ts';

/** A graph under one policy, in a namespace of its own. */
export interface Instance {
  /** `12-orphan`: also the namespace. */
  readonly name: string;
  readonly graph: OwnershipGraph;
}

/** What remains of each instance, by its name: a line for each object. */
export type States = ReadonlyMap<string, string>;

const concurrency = 24;
const elsewhere = 'elsewhere';
const someUid = 'b6d5a4a5-7c43-4e6f-9c0c-0e6f5a4b3c2d';

export function instancesOf(seeds: readonly number[]): readonly Instance[] {
  return seeds.flatMap((seed) =>
    policies.map((policy) => ({ name: `${seed}-${policy.toLowerCase()}`, graph: graphOf(seed, policy) })),
  );
}

/** What is done to all instances, one thing after the other has had all its effects. */
export function stepsOf(instances: readonly Instance[]): readonly Step[] {
  const rounds = Math.max(...instances.map(({ graph }) => graph.deletions.length));
  const deletions = Array.from(
    { length: rounds },
    (_, round): Step =>
      (stage, stopped) =>
        stage.delete(round, stopped),
  );
  return [(stage) => stage.build(), (stage) => stage.link(), ...deletions, (stage) => stage.release()];
}

/** `stopped` is asked before each deletion whether to go on. */
export type Step = (stage: Stage, stopped?: () => boolean) => Promise<void>;

/** The server of the custom kinds, if not the one that instances are played on. */
export interface DefiningServer {
  readonly client: ApiClient;
  /** Has requests for them passed on. */
  readonly registered?: () => Promise<void>;
}

/** Plays instances on a server. */
export class Stage {
  readonly instances: readonly Instance[];
  readonly #uids = new Map<string, string>();
  readonly #labels = new Map<string, string>();
  client: ApiClient;

  constructor(client: ApiClient, instances: readonly Instance[]) {
    this.client = client;
    this.instances = instances;
  }

  /** The definitions and namespaces that graphs need; the definitions are served when this resolves. */
  async prepare({ client, registered }: DefiningServer = { client: this.client }): Promise<void> {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const served = async (by: ApiClient, kind: GraphKind): Promise<void> => {
      while ((await by.sendBytes('GET', collectionPath(kind, ''), {})).code !== 200) await sleep(20);
    };
    const custom = graphKinds.filter(({ apiVersion }) => apiVersion.startsWith(customGroup));
    for (const kind of custom) {
      await must(client, 'POST', path, definitionOf(kind));
      await served(client, kind);
    }
    await registered?.();
    for (const kind of custom) await served(this.client, kind);
    const names = [elsewhere, ...this.instances.map(({ name }) => name)];
    await inParallel(names, concurrency, (name) => this.#must('POST', '/api/v1/namespaces', { metadata: { name } }));
    const metadata = { name: elsewhere };
    const { body } = await this.#must('POST', `/api/v1/namespaces/${elsewhere}/configmaps`, { metadata });
    this.#learn(elsewhere, body);
  }

  /** Makes all objects, owners before those who name them. */
  async build(): Promise<void> {
    await inParallel(this.instances, concurrency, async ({ name, graph }) => {
      for (const [at, { kind, edges, finalizers }] of graph.objects.entries()) {
        const metadata = {
          name: nameOf(name, kind, at),
          finalizers: [...finalizers],
          labels: { instance: name },
          ownerReferences: edges.filter(({ isLate }) => !isLate).map((edge) => this.#reference(name, graph, edge)),
        };
        const { apiVersion, kind: type, rest } = kind;
        const body = { apiVersion, kind: type, metadata, ...rest };
        const made = await this.#must('POST', collectionPath(kind, name), body);
        this.#learn(`${name}/${at}`, made.body);
      }
    });
  }

  /** Gives the references that make circles. */
  async link(): Promise<void> {
    await inParallel(this.instances, concurrency, async ({ name, graph }) => {
      for (const [at, { kind, edges }] of graph.objects.entries()) {
        if (!edges.some(({ isLate }) => isLate)) continue;
        const ownerReferences = edges.map((edge) => this.#reference(name, graph, edge));
        await this.#patch(objectPath(kind, name, at), { ownerReferences });
      }
    });
  }

  /** One deletion of each instance that has so many; `stopped` is asked before each whether to go on. */
  async delete(round: number, stopped: () => boolean = () => false): Promise<void> {
    await inParallel(this.instances, concurrency, async ({ name, graph }) => {
      const deletion = graph.deletions[round];
      if (deletion !== undefined && !stopped()) await this.#delete(name, graph, deletion);
    });
  }

  /** Takes away what holds objects. */
  async release(): Promise<void> {
    await inParallel(this.instances, concurrency, async ({ name, graph }) => {
      for (const [at, { kind, finalizers }] of graph.objects.entries()) {
        if (finalizers.includes(hold)) await this.#release(objectPath(kind, name, at));
      }
    });
  }

  async states(): Promise<States> {
    const lines = new Map<string, string[]>(this.instances.map(({ name }) => [name, []]));
    for (const kind of graphKinds) {
      const { body } = await this.client.send('GET', `${collectionPath(kind, '')}?labelSelector=instance`);
      for (const item of (body['items'] ?? []) as JsonObject[]) {
        lines.get(metadataOf(item).labels?.['instance'] ?? '')?.push(this.#lineOf(item));
      }
    }
    return new Map([...lines].map(([name, all]) => [name, all.toSorted().join('\n')]));
  }

  async #delete(name: string, graph: OwnershipGraph, { of, options }: Deletion): Promise<void> {
    const kind = graph.objects[of]?.kind;
    if (kind === undefined) return;
    const { code, body } = await this.client.send('DELETE', objectPath(kind, name, of), { body: options });
    if (code !== 200 && code !== 202 && code !== 404) throw new Error(JSON.stringify(body));
  }

  /** Once more when somebody else has changed the object meanwhile. */
  async #release(path: string): Promise<void> {
    for (;;) {
      const { code, body } = await this.client.send('GET', path);
      if (code !== 200) return;
      const { finalizers = [], resourceVersion = '' } = metadataOf(body);
      const left = finalizers.filter((finalizer) => finalizer !== hold);
      if ((await this.#patch(path, { finalizers: left, resourceVersion })) !== 409) return;
    }
  }

  async #patch(path: string, metadata: JsonObject): Promise<number> {
    const request = { body: { metadata }, contentType: 'application/merge-patch+json' };
    const { code, body } = await this.client.send('PATCH', path, request);
    if (code !== 200 && code !== 404 && code !== 409) throw new Error(JSON.stringify(body));
    return code;
  }

  #must(method: string, path: string, body: JsonObject): Promise<{ readonly body: JsonObject }> {
    return must(this.client, method, path, body);
  }

  #learn(label: string, object: JsonObject): void {
    const { uid = '' } = metadataOf(object);
    this.#uids.set(label, uid);
    this.#labels.set(uid, label.slice(label.indexOf('/') + 1));
  }

  #reference(instance: string, graph: OwnershipGraph, { to, blocks, fault }: GraphEdge): JsonObject {
    const kind = graph.objects[to]?.kind;
    if (kind === undefined) throw new Error(`${instance} has no object ${to}`);
    const reference = {
      apiVersion: kind.apiVersion,
      kind: kind.kind,
      name: nameOf(instance, kind, to),
      uid: this.#uids.get(`${instance}/${to}`) ?? someUid,
      ...(blocks === undefined ? {} : { blockOwnerDeletion: blocks }),
    };
    if (fault === undefined) return reference;
    const elsewhereUid = this.#uids.get(elsewhere) ?? '';
    const changes: Record<typeof fault, JsonObject> = {
      uid: { uid: someUid },
      name: { name: 'another' },
      kind: { apiVersion: 'v1', kind: 'Service' },
      unserved: { apiVersion: 'nowhere.example.com/v1', kind: 'Nothing' },
      elsewhere: { apiVersion: 'v1', kind: 'ConfigMap', name: elsewhere, uid: elsewhereUid },
    };
    return { ...reference, ...changes[fault] };
  }

  /** `c0! hold <1B 2`: going, held, owned by two, blocking one. */
  #lineOf(object: JsonObject): string {
    const { name = '', deletionTimestamp, finalizers = [], ownerReferences = [] } = metadataOf(object);
    const owners = ownerReferences.map(({ uid, blockOwnerDeletion }) => {
      const flag = blockOwnerDeletion === undefined ? '' : blockOwnerDeletion ? 'B' : 'n';
      return `${this.#labels.get(uid) ?? '?'}${flag}`;
    });
    const going = deletionTimestamp === undefined ? '' : '!';
    const held = finalizers.map((finalizer) => ` ${finalizer.replace('example.com/', '')}`).join('');
    return `${name.slice(name.lastIndexOf('-') + 1)}${going}${held}${owners.length === 0 ? '' : ` <${owners.join(' ')}`}`;
  }
}

async function must(
  client: ApiClient,
  method: string,
  path: string,
  body: JsonObject,
): Promise<{ readonly body: JsonObject }> {
  const answer = await client.send(method, path, { body });
  if (answer.code !== 201) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer;
}

interface Metadata {
  readonly name?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly deletionTimestamp?: string;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly { readonly uid: string; readonly blockOwnerDeletion?: boolean }[];
}

function metadataOf({ metadata }: JsonObject): Metadata {
  return metadata as Metadata;
}

/** Objects in no namespace are told apart by their names. */
function nameOf(instance: string, { letter }: GraphKind, at: number): string {
  return `${instance}-${letter}${at}`;
}

function collectionPath({ apiVersion, plural, namespaced }: GraphKind, namespace: string): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return namespaced && namespace !== '' ? `${root}/namespaces/${namespace}/${plural}` : `${root}/${plural}`;
}

function objectPath(kind: GraphKind, instance: string, at: number): string {
  return `${collectionPath(kind, instance)}/${nameOf(instance, kind, at)}`;
}

function definitionOf({ kind, plural, namespaced }: GraphKind): JsonObject {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    metadata: { name: `${plural}.${customGroup}` },
    spec: {
      group: customGroup,
      names: { kind, plural },
      scope: namespaced ? 'Namespaced' : 'Cluster',
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}
