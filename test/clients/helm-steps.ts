import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '../api-client.ts';
import { ChangedObjects } from './changed-objects.ts';
import { Helm } from './helm.ts';
import type { Server, Steps } from './program.ts';

const charts: { readonly [word: string]: string } = {
  CHART: join(import.meta.dirname, 'chart'),
  FLEET: join(import.meta.dirname, 'fleet-chart'),
};

/** Collections with objects of the chart. */
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

/** Arguments for helm. */
interface HelmStep {
  readonly title: string;
  readonly words: string;
}

const changed =
  '--set replicas=3,ingress=false,settings.depth=null,settings.width=30,ports[0].name=http,ports[0].port=8080';
const added = '--set ports[1].name=dns,ports[1].port=53,image=harbor:2';

const releasing: readonly HelmStep[] = [
  { title: 'a dry run on the server', words: 'install web CHART --create-namespace --dry-run=server' },
  { title: 'install', words: 'install web CHART --create-namespace' },
  { title: 'install it again', words: 'install web CHART' },
  { title: 'upgrade to the same', words: 'upgrade web CHART' },
  { title: 'upgrade', words: `upgrade web CHART ${changed} ${added}` },
  {
    title: 'upgrade to what is invalid',
    words: 'upgrade web CHART --set ports[0].name=http,ports[0].port=99999',
  },
  { title: 'values', words: 'get values web -o json' },
  { title: 'manifest', words: 'get manifest web' },
  { title: 'hooks', words: 'get hooks web' },
  { title: 'rollback', words: 'rollback web 1' },
];

const sharing: readonly HelmStep[] = [
  { title: 'upgrade against another manager', words: 'upgrade web CHART --set image=harbor:3' },
  { title: 'the same by force', words: 'upgrade web CHART --set image=harbor:3 --force-conflicts' },
  { title: 'history', words: 'history web -o json' },
  { title: 'status', words: 'status web' },
  { title: 'list', words: 'list -o json' },
  {
    title: 'wait',
    words: 'install quiet CHART --set workloads=false,ingress=false --wait --timeout 30s',
  },
  { title: 'client-side', words: 'install old CHART --server-side=false' },
  { title: 'client-side goes on', words: 'upgrade old CHART --set replicas=4' },
  { title: 'server-side takes over', words: `upgrade old CHART --server-side=true ${changed}` },
  { title: 'uninstall', words: 'uninstall web --wait' },
  { title: 'uninstall the rest', words: 'uninstall quiet old' },
  { title: 'uninstall what is gone', words: 'uninstall web' },
  { title: 'list of nothing', words: 'list -o json' },
];

/** A chart with a definition and an object of it. */
const defining: readonly HelmStep[] = [
  { title: 'install', words: 'install fleet FLEET --create-namespace --wait --timeout 30s' },
  { title: 'upgrade', words: 'upgrade fleet FLEET --set size=7' },
  { title: 'upgrade to what is invalid', words: 'upgrade fleet FLEET --set size=11' },
  { title: 'install another, with the definition there', words: 'install other FLEET' },
  { title: 'uninstall', words: 'uninstall fleet other --wait' },
];

/** Runs Helm with a chart that brings a definition. */
export async function helmDefinitionSteps(server: Server, namespace: string): Promise<Steps> {
  const home = await mkdtemp(join(tmpdir(), 'binnacle-helm-'));
  using client = await ApiClient.connect(server);
  const helm = new Helm({ kubeconfigPath: server.kubeconfigPath, namespace, home });
  const fleets = new ChangedObjects(client, [`/apis/sea.example.com/v1/namespaces/${namespace}/fleets`]);
  const steps: Steps = {};
  try {
    for (const { title, words } of defining) {
      steps[title] = await helm.run(argumentsOf(words));
      steps[`fleets after: ${title}`] = await fleets.look();
    }
  } finally {
    await rm(home, { recursive: true });
  }
  return steps;
}

/** Runs Helm through the life cycle of releases. */
export async function helmSteps(server: Server, namespace: string): Promise<Steps> {
  const home = await mkdtemp(join(tmpdir(), 'binnacle-helm-'));
  using client = await ApiClient.connect(server);
  const helm = new Helm({ kubeconfigPath: server.kubeconfigPath, namespace, home });
  const paths = collections.map(
    (path) => `${path.replace('*', namespace)}?labelSelector=app.kubernetes.io%2Fname%3Dharbor`,
  );
  const objects = new ChangedObjects(client, paths);
  const steps: Steps = {};
  const play = async ({ title, words }: HelmStep): Promise<void> => {
    steps[title] = await helm.run(argumentsOf(words));
    const changes = await objects.look();
    if (Object.keys(changes).length > 0) steps[`objects after: ${title}`] = changes;
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

function argumentsOf(words: string): readonly string[] {
  return words.split(' ').map((word) => charts[word] ?? word);
}

/** Another manager sets the deployment's image. */
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
