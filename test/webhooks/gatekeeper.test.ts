import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../src/api/json/json.ts';
import { ApiClient } from '../api-client.ts';
import { startFront } from '../aggregation/front-server.ts';
import { freePort } from '../free-port.ts';
import { Kubectl, kubectlPath } from '../kubectl/kubectl.ts';
import { Program } from '../program.ts';
import { until } from './until.ts';

// Gatekeeper and the manifest of its release, as .ci/install-components builds and copies them.
const programs = process.env['BINNACLE_REFERENCE'] ?? join(homedir(), '.cache', 'binnacle-reference');
const program = join(programs, 'gatekeeper');
const manifest = join(programs, 'gatekeeper.yaml');
const isMissing = !existsSync(program) || !existsSync(manifest) || kubectlPath === undefined;
if (isMissing && process.env['CI'] === 'true') throw new Error(`there is no ${program}, its manifest or kubectl`);

const namespace = 'gatekeeper-system';

describe.skipIf(isMissing)('Gatekeeper', () => {
  const opened = new AsyncDisposableStack();
  const kubectl = new Kubectl(namespace);
  let client: ApiClient;

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'binnacle-gatekeeper-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const server = opened.use(await startFront());
    kubectl.server = server;
    client = opened.use(await ApiClient.connect(server));
    const port = await freePort();
    const input = manifestOf(port);
    // kubectl waits for the definitions that later documents need.
    expect(await kubectl.with({ input }).run`apply --server-side --filename -`).toContain('serverside-applied');
    const healthPort = await freePort();
    const gatekeeper = opened.use(start(folder, { kubeconfig: server.kubeconfigPath, port, healthPort }));
    await mountCertificates(client, folder, gatekeeper);
    await until('it is ready', [gatekeeper], async () => {
      const answer = await fetch(`http://127.0.0.1:${healthPort}/readyz`).catch(() => undefined);
      return answer?.status === 200;
    });
  }, 180_000);

  afterAll(() => opened.disposeAsync());

  test('a constraint denies, and an audit finds what was there before', { timeout: 120_000 }, async () => {
    expect((await makeNamespace(client, 'before')).code).toBe(201);
    const input = JSON.stringify(template);
    expect(await kubectl.with({ input }).run`apply --filename -`).toContain('created');
    await until('its kind is served', [], async () => {
      const made = await client.exchange('POST', constraints, { body: constraint });
      return made.code === 201;
    });
    await until('it denies', [], async () => {
      const { code, body } = await makeNamespace(client, 'denied', '?dryRun=All');
      if (code === 201) return false;
      expect([code, body['message']]).toEqual([
        403,
        'admission webhook "validation.gatekeeper.sh" denied the request: [owned] you must provide labels: {"owner"}',
      ]);
      return true;
    });
    const labels = { owner: 'me' };
    expect((await makeNamespace(client, 'permitted', '', labels)).code).toBe(201);
    await until('the audit finds it', [], async () => {
      const { body } = await client.send('GET', `${constraints}/owned`);
      const { violations = [] } = isJsonObject(body['status']) ? body['status'] : {};
      return JSON.stringify(violations).includes('"name":"before"');
    });
  });
});

const constraints = '/apis/constraints.gatekeeper.sh/v1beta1/ownednamespaces';

const rego = `package ownednamespaces
violation[{"msg": msg}] {
  provided := {label | input.review.object.metadata.labels[label]}
  missing := {label | label := input.parameters.labels[_]} - provided
  count(missing) > 0
  msg := sprintf("you must provide labels: %v", [missing])
}`;

const template = {
  apiVersion: 'templates.gatekeeper.sh/v1',
  kind: 'ConstraintTemplate',
  metadata: { name: 'ownednamespaces' },
  spec: {
    crd: {
      spec: {
        names: { kind: 'OwnedNamespaces' },
        validation: {
          openAPIV3Schema: {
            type: 'object',
            properties: { labels: { type: 'array', items: { type: 'string' } } },
          },
        },
      },
    },
    targets: [{ target: 'admission.k8s.gatekeeper.sh', rego }],
  },
};

const constraint = {
  apiVersion: 'constraints.gatekeeper.sh/v1beta1',
  kind: 'OwnedNamespaces',
  metadata: { name: 'owned' },
  spec: { match: { kinds: [{ apiGroups: [''], kinds: ['Namespace'] }] }, parameters: { labels: ['owner'] } },
};

async function makeNamespace(client: ApiClient, name: string, query = '', labels: JsonObject = {}) {
  return await client.send('POST', `/api/v1/namespaces${query}`, { body: { metadata: { name, labels } } });
}

/** Without what needs kubelets: Gatekeeper is a process here, which its service leads to. */
function manifestOf(port: number): string {
  const documents = readFileSync(manifest, 'utf8').split('\n---\n');
  const kept = documents.filter(
    (each) => !/^kind: (Deployment|PodDisruptionBudget|ResourceQuota|Service)$/m.test(each),
  );
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'gatekeeper-webhook-service', namespace },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  };
  return [...kept, JSON.stringify(service)]
    .join('\n---\n')
    .replaceAll(/^( *)name: gatekeeper-webhook-service$/gm, `$1name: gatekeeper-webhook-service\n$1port: ${port}`);
}

interface StartOptions {
  readonly kubeconfig: string;
  readonly port: number;
  readonly healthPort: number;
}

function start(folder: string, { kubeconfig, port, healthPort }: StartOptions): Program {
  for (const name of ['certs', 'audit']) mkdirSync(join(folder, name));
  return new Program({
    name: 'gatekeeper',
    path: program,
    folder,
    args: [
      `--kubeconfig=${kubeconfig}`,
      '--host=127.0.0.1',
      `--port=${port}`,
      `--health-addr=127.0.0.1:${healthPort}`,
      '--prometheus-port=0',
      '--logtostderr',
      '--debug-use-fake-pod',
      `--cert-dir=${join(folder, 'certs')}`,
      '--audit-interval=3',
      `--api-cache-dir=${join(folder, 'audit')}`,
      `--exempt-namespace=${namespace}`,
    ],
    env: { POD_NAME: 'gatekeeper', POD_NAMESPACE: namespace, NAMESPACE: namespace },
  });
}

/** As a kubelet does: the files of the volume of its Secret, once Gatekeeper has written that. */
async function mountCertificates(client: ApiClient, folder: string, gatekeeper: Program): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/secrets/gatekeeper-webhook-server-cert`;
  await until('its certificates are stored', [gatekeeper], async () => {
    const { data = {} } = (await client.send('GET', path)).body;
    if (!isJsonObject(data) || data['tls.crt'] === undefined) return false;
    for (const [name, value] of Object.entries(data)) {
      writeFileSync(join(folder, 'certs', name), Buffer.from(typeof value === 'string' ? value : '', 'base64'));
    }
    return true;
  });
}
