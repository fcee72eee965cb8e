import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { JsonObject } from '../../src/api/json/json.ts';
import { ApiClient } from '../api-client.ts';
import { kubectlPath } from '../kubectl/kubectl.ts';
import { ChangedObjects } from './changed-objects.ts';
import type { Server, Steps } from './program.ts';

/** Arguments for kubectl, and its input. */
export interface KubectlStep {
  readonly title: string;
  readonly words: string;
  readonly input?: string;
}

const container = (image: string): string => `{name: web, image: '${image}', ports: [{containerPort: 80}]}`;

const deployment = (image: string, more = 'replicas: 2'): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  ${more}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [${container(image)}]
`;

const map = (name: string, data: string): string => `
apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}}
data: ${data}
`;

const status = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
status: {observedGeneration: 1, conditions: [{type: Available, status: 'True'}]}
`;

const applying: readonly KubectlStep[] = [
  { title: 'apply', words: 'apply --server-side -f -', input: deployment('web:1') },
  { title: 'apply the same', words: 'apply --server-side -f -', input: deployment('web:1') },
  {
    title: 'apply as another',
    words: 'apply --server-side --field-manager other -f -',
    input: deployment('web:2', 'replicas: 3'),
  },
  {
    title: 'apply one field as another',
    words: 'apply --server-side --field-manager other -f -',
    input: deployment('web:1', 'replicas: 3'),
  },
  { title: 'diff as another', words: 'diff --server-side --field-manager other -f -', input: deployment('web:2') },
  {
    title: 'diff by force',
    words: 'diff --server-side --field-manager other --force-conflicts -f -',
    input: deployment('web:2'),
  },
  { title: 'diff of nothing', words: 'diff --server-side -f -', input: deployment('web:1') },
  { title: 'diff', words: 'diff --server-side -f -', input: deployment('web:3', 'paused: true') },
  { title: 'diff of what is new', words: 'diff --server-side -f -', input: map('new', '{one: "1"}') },
  {
    title: 'apply by force',
    words: 'apply --server-side --field-manager other --force-conflicts -f -',
    input: deployment('web:2', 'replicas: 3'),
  },
  {
    title: 'apply a dry run',
    words: 'apply --server-side --force-conflicts --dry-run=server -f -',
    input: deployment('web:4'),
  },
  {
    title: 'apply less',
    words: 'apply --server-side --force-conflicts -f -',
    input: deployment('web:1', 'paused: false'),
  },
  {
    title: 'apply a status',
    words: 'apply --server-side --subresource=status --field-manager controller -f -',
    input: status,
  },
  {
    title: 'apply unknown fields',
    words: 'apply --server-side -f -',
    input: `${map('odd', '{one: "1"}')}colour: red\n`,
  },
  {
    title: 'apply unknown fields, checked by nobody',
    words: 'apply --server-side --validate=false -f -',
    input: `${map('odd', '{one: "1"}')}colour: red\n`,
  },
  { title: 'apply what is no text', words: 'apply --server-side -f -', input: map('odd', '{one: 1}') },
  {
    title: 'apply two',
    words: 'apply --server-side -f -',
    input: `${map('one', '{one: "1"}')}---${map('two', '{two: "2"}')}`,
  },
];

const migrating: readonly KubectlStep[] = [
  { title: 'client-side', words: 'apply -f -', input: map('moved', '{one: "1", two: "2"}') },
  {
    title: 'server-side after client-side',
    words: 'apply --server-side -f -',
    input: map('moved', '{two: "2", three: "3"}'),
  },
  { title: 'client-side again', words: 'apply -f -', input: map('moved', '{three: "3", four: "4"}') },
  { title: 'server-side at last', words: 'apply --server-side -f -', input: map('moved', '{four: "4"}') },
];

const otherManagers: readonly KubectlStep[] = [
  { title: 'label', words: 'label deployment web tier=front' },
  { title: 'label as somebody', words: 'label deployment web tier=back --overwrite --field-manager somebody' },
  { title: 'unlabel', words: 'label deployment web tier-' },
  { title: 'annotate', words: 'annotate deployment web note=one' },
  { title: 'annotate as somebody', words: 'annotate deployment web note- other=two --field-manager somebody' },
  { title: 'scale', words: 'scale deployment web --replicas=5' },
  { title: 'apply after scale', words: 'apply --server-side -f -', input: deployment('web:1', 'replicas: 2') },
  { title: 'edit', words: 'edit deployment web' },
  { title: 'edit as somebody', words: 'edit configmap one --field-manager somebody' },
  { title: 'set image', words: 'set image deployment/web web=web:8' },
  { title: 'patch', words: 'patch deployment web --field-manager patcher -p {"spec":{"paused":true}}' },
  { title: 'replace', words: 'replace -f -', input: map('one', '{replaced: "yes"}') },
  { title: 'expose', words: 'expose deployment web --port=80 --field-manager exposer' },
  { title: 'autoscale', words: 'autoscale deployment web --max=5' },
  { title: 'rollout', words: 'rollout restart deployment web' },
  { title: 'rollout resumed', words: 'rollout resume deployment web' },
  { title: 'rollout restarted', words: 'rollout restart deployment web' },
  { title: 'create with configuration', words: 'create --save-config -f -', input: map('saved', '{one: "1"}') },
  { title: 'create without a file', words: 'create deployment made --image=made:1 --replicas=3' },
  { title: 'create a secret', words: 'create secret generic key --from-literal=token=harbor' },
  { title: 'describe', words: 'describe configmap one' },
  { title: 'wait', words: 'wait configmap/two --for=jsonpath={.data.two}=2 --timeout=20s' },
  { title: 'delete', words: 'delete deployment,secret --field-selector=metadata.name!=web -l app=made' },
  { title: 'delete by name', words: 'delete secret key' },
  { title: 'with managed fields', words: 'get configmap two -o yaml --show-managed-fields' },
];

const set = 'apply --server-side --prune --applyset=fleet -f -';

const pruning: readonly KubectlStep[] = [
  { title: 'prune nothing', words: set, input: `${map('first', '{one: "1"}')}---${map('second', '{two: "2"}')}` },
  { title: 'prune one', words: set, input: map('second', '{two: "3"}') },
  { title: 'prune a dry run', words: `${set} --dry-run=server`, input: map('third', '{}') },
  {
    title: 'prune another kind',
    words: set,
    input: 'apiVersion: v1\nkind: Service\nmetadata: {name: pruned}\nspec: {ports: [{port: 80}]}\n',
  },
  {
    title: 'prune by a set that is not there',
    words: `${set.replace('fleet', 'configmap/missing')}`,
    input: map('fourth', '{}'),
  },
];

/** Runs all kubectl commands that set a field manager. */
export function kubectlSteps(server: Server, namespace: string, more: NodeJS.ProcessEnv = {}): Promise<Steps> {
  const paths = ['/api/v1/*/configmaps', '/api/v1/*/secrets', '/api/v1/*/services', '/apis/apps/v1/*/deployments'];
  return playKubectl(server, namespace, {
    steps: [...applying, ...migrating, ...otherManagers, ...pruning],
    paths: paths.map((path) => path.replace('*', `namespaces/${namespace}`)),
    edits: 's/replicas: 5/replicas: 6/; s/one: .*/one: edited/',
    env: more,
  });
}

interface Play {
  readonly steps: readonly KubectlStep[];
  /** Collections in which objects change. */
  readonly paths: readonly string[];
  /** What the editor does, for sed. */
  readonly edits: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** What kubectl prints, and which objects are changed by it. */
export async function playKubectl(
  server: Server,
  namespace: string,
  { steps: played, paths, edits, env: more = {} }: Play,
): Promise<Steps> {
  const home = await mkdtemp(join(tmpdir(), 'binnacle-kubectl-'));
  using client = await ApiClient.connect(server);
  await client.send('POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } } });
  const objects = new ChangedObjects(client, paths);
  const steps: Steps = {};
  try {
    const editor = join(home, 'editor');
    await writeFile(editor, `#!/bin/sh\nsed -i "${edits}" "$1"\n`);
    await chmod(editor, 0o755);
    const env = {
      PATH: process.env['PATH'],
      HOME: home,
      KUBECONFIG: server.kubeconfigPath,
      KUBE_EDITOR: editor,
      KUBECTL_APPLYSET: 'true',
      TZ: 'UTC',
      ...more,
    };
    for (const { title, words, input } of played) {
      steps[title] = await run(['--namespace', namespace, ...words.split(' ')], env, input);
      const changes = await objects.look();
      if (Object.keys(changes).length > 0) steps[`objects after: ${title}`] = changes;
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
  return steps;
}

async function run(args: readonly string[], env: NodeJS.ProcessEnv, input = ''): Promise<JsonObject> {
  const child = spawn(kubectlPath ?? 'kubectl', args, { env });
  child.stdin.end(input);
  const closed = new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  // The names of the diffed files are random.
  const lines = stdout.split('\n').filter((line) => !/^(diff|---|\+\+\+) /.test(line));
  return { code, stdout: lines, stderr: stderr.replaceAll(/^([EIW])\d{4} [\d:.]+ +\d+ /gm, '$1 ').split('\n') };
}
