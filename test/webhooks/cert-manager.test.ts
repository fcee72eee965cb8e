import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../src/api/json/json.ts';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { kubeconfigOf } from '../authentication/both-servers.ts';
import { Helm, helmPath } from '../clients/helm.ts';
import { freePort } from '../free-port.ts';
import { Kubectl, kubectlPath } from '../kubectl/kubectl.ts';
import { Program } from '../program.ts';
import { adminTls, startTestServer, type TestServer } from '../server-fixture.ts';
import { until } from './until.ts';

// The programs of cert-manager and the chart of their release, as .ci/install-components builds and copies them.
const programs = join(
  process.env['BINNACLE_REFERENCE'] ?? join(homedir(), '.cache', 'binnacle-reference'),
  'cert-manager',
);
const isMissing = !existsSync(join(programs, 'chart')) || !existsSync(helmPath) || kubectlPath === undefined;
if (isMissing && process.env['CI'] === 'true') throw new Error(`there is no ${programs}, helm or kubectl`);

const namespace = 'cert-manager';
const patience = { timeout: 60_000, interval: 200 };

describe.skipIf(isMissing)('cert-manager', () => {
  const opened = new AsyncDisposableStack();
  const kubectl = new Kubectl('default');
  let client: ApiClient;

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'binnacle-cert-manager-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const webhookPort = await freePort();
    const server = opened.use(await startCluster(webhookPort));
    kubectl.server = server;
    client = opened.use(await ApiClient.connect(server));
    const helm = new Helm({ kubeconfigPath: server.kubeconfigPath, namespace, home: folder });
    const chart = join(programs, 'chart');
    // Its check waits for pods.
    const values = ['--set', 'startupapicheck.enabled=false'];
    const installed = await helm.run(['install', 'cert-manager', chart, '--create-namespace', ...values]);
    expect(installed).toMatchObject({ code: 0, stderr: '' });
    const running = await startPrograms({ server, client, folder, webhookPort });
    for (const each of running) opened.use(each);
    await until('the webhook is trusted', running, async () => {
      const { code } = await kubectl.with({ input: selfSigned }).result`apply --dry-run=server --filename -`;
      return code === 0;
    });
  }, 180_000);

  afterAll(() => opened.disposeAsync());

  test('an authority issues certificates, and again when they are lost', { timeout: 120_000 }, async () => {
    const input = [selfSigned, authority, issuer, leaf].join('\n---\n');
    expect(await kubectl.with({ input }).run`apply --server-side --filename -`).toContain(
      'certificate.cert-manager.io/leaf',
    );
    await kubectl.run`wait --for=condition=Ready certificate/leaf --timeout=60s`;
    const first = await issued(client);
    await kubectl.run`delete secret leaf`;
    await expect.poll(() => issued(client).catch(() => first), patience).not.toBe(first);
    await kubectl.run`delete certificate leaf`;
    await expect.poll(async () => (await kubectl.result`get secret leaf`).stderr, patience).toContain('NotFound');
  });

  test('the webhook denies, and names who has asked', async () => {
    const input = JSON.stringify(certificate('short', { duration: '1h', renewBefore: '2h' }));
    expect(await kubectl.with({ input }).fails`apply --filename -`).toContain(
      'admission webhook "webhook.cert-manager.io" denied the request: spec.renewBefore: Invalid value: ' +
        '2h0m0s: certificate duration 1h0m0s must be greater than renewBefore 2h0m0s',
    );
    const { body } = await client.send('GET', '/apis/cert-manager.io/v1/namespaces/default/certificaterequests');
    const usernames = (body['items'] as readonly JsonObject[]).map(
      ({ spec }) => isJsonObject(spec) && spec['username'],
    );
    expect(new Set(usernames)).toEqual(new Set([`system:serviceaccount:${namespace}:cert-manager`]));
  });
});

const [selfSigned, issuer] = [
  ['self-signed', { selfSigned: {} }],
  ['authority', { ca: { secretName: 'authority' } }],
].map(([name, spec]) =>
  JSON.stringify({ apiVersion: 'cert-manager.io/v1', kind: 'Issuer', metadata: { name }, spec }),
) as [string, string]; // one for each

const authority = JSON.stringify(
  certificate('authority', { isCA: true, commonName: 'authority', issuerRef: { name: 'self-signed' } }),
);
const leaf = JSON.stringify(certificate('leaf', { issuerRef: { name: 'authority' } }));

function certificate(name: string, spec: object): object {
  return {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: { name },
    spec: { secretName: name, dnsNames: [`${name}.example.com`], issuerRef: { name: 'authority' }, ...spec },
  };
}

/** The serial number of the certificate in its Secret, which the authority has signed. */
async function issued(client: ApiClient): Promise<string> {
  const secretOf = async (name: string): Promise<X509Certificate> => {
    const { body } = await client.send('GET', `/api/v1/namespaces/default/secrets/${name}`);
    const { 'tls.crt': pem = '' } = body['data'] as { readonly [key: string]: string };
    return new X509Certificate(Buffer.from(pem, 'base64'));
  };
  const shown = await secretOf('leaf');
  expect(shown.subjectAltName).toBe('DNS:leaf.example.com');
  expect(shown.verify((await secretOf('authority')).publicKey)).toBe(true);
  return shown.serialNumber;
}

/** The service of the webhook leads to the process. */
function startCluster(webhookPort: number): Promise<TestServer> {
  const { authorization, aggregation } = configDefaults;
  const serviceAddresses = new Map([[`cert-manager-webhook.${namespace}`, { host: '127.0.0.1', port: webhookPort }]]);
  const config = {
    authorization: { ...authorization, modes: ['RBAC'] },
    aggregation: { ...aggregation, serviceAddresses },
    controllers: ['*'],
    // Of a webhook that is not trusted yet.
    logging: { level: 'silent' },
  } as const;
  return startTestServer({}, {}, { config });
}

interface StartOptions {
  readonly server: TestServer;
  readonly client: ApiClient;
  readonly folder: string;
  readonly webhookPort: number;
}

/** Each with the token of its account. */
async function startPrograms({ server, client, folder, webhookPort }: StartOptions): Promise<readonly Program[]> {
  const { ca } = await adminTls(server.kubeconfigPath);
  const start = async (name: string, account: string, args: readonly string[]): Promise<Program> => {
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
    const { body } = await client.send('POST', path, { body: { spec: {} } });
    const { token } = body['status'] as { readonly token: string };
    const kubeconfig = join(folder, `${name}.kubeconfig`);
    await writeFile(kubeconfig, kubeconfigOf(server.url, ca.toString(), { token }), { mode: 0o600 });
    const env = { POD_NAMESPACE: namespace };
    return new Program({
      name,
      path: join(programs, name),
      args: [`--kubeconfig=${kubeconfig}`, ...args],
      folder,
      env,
    });
  };
  const [healthPort, metricsPort] = [await freePort(), await freePort()];
  const dnsNames = ['', `.${namespace}`, `.${namespace}.svc`].map((rest) => `cert-manager-webhook${rest}`);
  return [
    await start('webhook', 'cert-manager-webhook', [
      `--secure-port=${webhookPort}`,
      `--healthz-port=${healthPort}`,
      `--dynamic-serving-ca-secret-namespace=${namespace}`,
      `--dynamic-serving-ca-secret-name=cert-manager-webhook-ca`,
      ...dnsNames.map((name) => `--dynamic-serving-dns-names=${name}`),
    ]),
    await start('cainjector', 'cert-manager-cainjector', []),
    await start('controller', 'cert-manager', [
      `--cluster-resource-namespace=${namespace}`,
      '--enable-certificate-owner-ref',
      `--metrics-listen-address=127.0.0.1:${metricsPort}`,
    ]),
  ];
}
