import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '../../src/api/json.ts';
import { ApiClient } from '../api-client.ts';
import { clientsDir, type Server, type Steps } from './program.ts';
import { endOf } from './watching-client.ts';

const chart = join(import.meta.dirname, 'chart');

/** Collections that the chart has objects in. */
const collections = [
  '/api/v1/namespaces/*/configmaps',
  '/api/v1/namespaces/*/secrets',
  '/api/v1/namespaces/*/serviceaccounts',
  '/api/v1/namespaces/*/services',
  '/apis/apps/v1/namespaces/*/deployments',
  '/apis/autoscaling/v2/namespaces/*/horizontalpodautoscalers',
  '/apis/networking.k8s.io/v1/namespaces/*/ingresses',
  '/apis/policy/v1/namespaces/*/poddisruptionbudgets',
  '/apis/rbac.authorization.k8s.io/v1/namespaces/*/roles',
  '/apis/rbac.authorization.k8s.io/v1/namespaces/*/rolebindings',
];

/** A step: words for helm, and the release whose objects are looked at afterwards. */
interface HelmStep {
  readonly title: string;
  readonly words: string;
  readonly release?: string;
}

const changed =
  '--set replicas=3,ingress=false,settings.depth=null,settings.width=30,ports[0].name=http,ports[0].port=8080';
const added = '--set ports[1].name=dns,ports[1].port=53,image=harbor:2';

const releasing: readonly HelmStep[] = [
  { title: 'a dry run on the server', words: 'install web CHART --create-namespace --dry-run=server' },
  { title: 'install', words: 'install web CHART --create-namespace', release: 'web' },
  { title: 'install it again', words: 'install web CHART' },
  { title: 'upgrade to the same', words: 'upgrade web CHART', release: 'web' },
  { title: 'upgrade', words: `upgrade web CHART ${changed} ${added}`, release: 'web' },
  {
    title: 'upgrade to what is invalid',
    words: 'upgrade web CHART --set ports[0].name=http,ports[0].port=99999',
    release: 'web',
  },
  { title: 'values', words: 'get values web -o json' },
  { title: 'manifest', words: 'get manifest web' },
  { title: 'hooks', words: 'get hooks web' },
  { title: 'rollback', words: 'rollback web 1', release: 'web' },
];

const sharing: readonly HelmStep[] = [
  { title: 'upgrade against another manager', words: 'upgrade web CHART --set image=harbor:3', release: 'web' },
  { title: 'the same by force', words: 'upgrade web CHART --set image=harbor:3 --force-conflicts', release: 'web' },
  { title: 'history', words: 'history web -o json' },
  { title: 'status', words: 'status web' },
  { title: 'list', words: 'list -o json' },
  {
    title: 'wait',
    words: 'install quiet CHART --set workloads=false,ingress=false --wait --timeout 30s',
    release: 'quiet',
  },
  { title: 'client-side', words: 'install old CHART --server-side=false', release: 'old' },
  { title: 'client-side goes on', words: 'upgrade old CHART --set replicas=4', release: 'old' },
  { title: 'server-side takes over', words: `upgrade old CHART --server-side=true ${changed}`, release: 'old' },
  { title: 'uninstall', words: 'uninstall web --wait', release: 'web' },
  { title: 'uninstall the rest', words: 'uninstall quiet old', release: 'old' },
  { title: 'uninstall what is gone', words: 'uninstall web' },
  { title: 'list of nothing', words: 'list -o json' },
];

/** Takes Helm through the life of releases. */
export async function helmSteps(server: Server, namespace: string): Promise<Steps> {
  const home = await mkdtemp(join(tmpdir(), 'binnacle-helm-'));
  using client = await ApiClient.connect(server);
  const helm = new Helm({ kubeconfigPath: server.kubeconfigPath, namespace, home });
  const objects = new ReleasedObjects(client, namespace);
  const steps: Steps = {};
  const play = async ({ title, words, release }: HelmStep): Promise<void> => {
    steps[title] = await helm.run(words);
    if (release !== undefined) steps[`objects after: ${title}`] = await objects.changes(release);
  };
  try {
    for (const step of releasing) await play(step);
    await takeImage(client, namespace);
    for (const step of sharing) await play(step);
  } finally {
    await rm(home, { recursive: true });
  }
  return steps;
}

class Helm {
  readonly #options: { readonly kubeconfigPath: string; readonly namespace: string; readonly home: string };

  constructor(options: { readonly kubeconfigPath: string; readonly namespace: string; readonly home: string }) {
    this.#options = options;
  }

  async run(words: string): Promise<JsonObject> {
    const { kubeconfigPath, namespace, home } = this.#options;
    const args = words.split(' ').map((word) => (word === 'CHART' ? chart : word));
    const env = {
      PATH: process.env['PATH'],
      HOME: home,
      HELM_CACHE_HOME: home,
      HELM_CONFIG_HOME: home,
      HELM_DATA_HOME: home,
    };
    const child = spawn(
      join(clientsDir, 'helm', 'helm'),
      ['--kubeconfig', kubeconfigPath, '--namespace', namespace, ...args],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env,
      },
    );
    const { code, stdout, stderr } = await endOf(child);
    // Reflectors tell of watches that Helm itself has ended.
    return { code, stdout: outputOf(stdout), stderr: stderr.replaceAll(/^I\d{4} .*reflector\.go.*\n/gm, '') };
  }
}

/** JSON is told apart, without the times, which are Helm's own. Tables of resources are in the order of a Go map. */
function outputOf(text: string): JsonValue {
  if (/^[[{]/.test(text)) return JSON.parse(text, withoutTimes) as JsonValue;
  const output = text
    .replaceAll(/^LAST DEPLOYED: .*$/gm, 'LAST DEPLOYED: <time>')
    .replaceAll(/\b10\.0\.0\.\d+ +/g, '<address> ')
    .replaceAll(/\b\d+s$/gm, '<age>');
  return output.includes('\n==> ') ? output.split(/\n+(?===> )|\n\n/).sort() : output.split('\n');
}

function withoutTimes(key: string, value: unknown): unknown {
  return ['updated', 'first_deployed', 'last_deployed', 'last_run', 'started_at', 'completed_at'].includes(key)
    ? undefined
    : value;
}

/** Objects with the label of a release. */
class ReleasedObjects {
  readonly #client: ApiClient;
  readonly #namespace: string;
  readonly #known = new Map<string, string>();

  constructor(client: ApiClient, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  /** Those that are new or written since the last look; null is one that has gone. */
  async changes(release: string): Promise<JsonObject> {
    const found = new Map((await Promise.all(collections.map((path) => this.#list(path, release)))).flat());
    const changes: JsonObject = {};
    for (const [path, object] of found) {
      const text = JSON.stringify(object);
      if (this.#known.get(path) !== text) changes[path] = object;
      this.#known.set(path, text);
    }
    for (const path of this.#known.keys()) {
      if (found.has(path) || !path.includes(`/${release}`)) continue;
      changes[path] = null;
      this.#known.delete(path);
    }
    return changes;
  }

  async #list(collection: string, release: string): Promise<(readonly [path: string, object: JsonObject])[]> {
    const path = collection.replace('*', this.#namespace);
    const selector = encodeURIComponent(`app.kubernetes.io/instance=${release}`);
    const { body } = await this.#client.send('GET', `${path}?labelSelector=${selector}`);
    const items = body['items'] as JsonObject[]; // A list has items.
    return items.map((item) => {
      const { name } = item['metadata'] as { readonly name: string }; // Every object has one.
      return [`${path.slice(path.lastIndexOf('/') + 1)}/${name}`, item];
    });
  }
}

/** Somebody else sets the image of the deployment. */
async function takeImage(client: ApiClient, namespace: string): Promise<void> {
  const containers = [{ name: 'harbor', image: 'harbor:other' }];
  const { code, body } = await client.send(
    'PATCH',
    `/apis/apps/v1/namespaces/${namespace}/deployments/web?fieldManager=other&force=true`,
    {
      contentType: 'application/apply-patch+yaml',
      body: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: { template: { spec: { containers } } },
      },
    },
  );
  if (code !== 200) throw new Error(`answered ${code}: ${JSON.stringify(body)}`);
}
