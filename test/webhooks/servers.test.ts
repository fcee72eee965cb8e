import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { TLSSocket } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/api/time/clock.ts';
import type { JsonObject } from '../../src/api/json/json.ts';
import { openCertificateStore } from '../../src/authentication/pki/certificate-store.ts';
import { configDefaults } from '../../src/server/config.ts';
import { serviceAddresses } from '../../src/cli/flag-types.ts';
import { ApiClient } from '../api-client.ts';
import { type HttpsServer, jsonOf, startHttpsServer } from '../https-server.ts';
import { asAlone, startTestServer, type TestServer } from '../server-fixture.ts';
import type { Review } from './hook-server.ts';

// Addresses of webhooks, and the credentials of calls.

const opened = new AsyncDisposableStack();
let folder: string;
let hooks: HttpsServer;
let server: TestServer;
/** The client that each webhook has seen, by its path. */
const seen = new Map<string, { readonly subject: string; readonly authorization: string }>();

const base64 = (text: string): string => Buffer.from(text).toString('base64');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-webhook-users-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const names = { dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] };
  const pki = await openCertificateStore({ folder: join(folder, 'pki'), serverNames: names, clock: systemClock });
  const options = {
    folder: join(folder, 'hooks'),
    dnsNames: ['one.hooks.svc', 'two.hooks.svc', 'three.others.svc'],
    clientAuthority: pki.authority,
  };
  hooks = opened.use(
    await startHttpsServer(options, (request, response) => {
      void jsonOf<Review>(request).then(({ kind, apiVersion, request: { uid } }) => {
        const { subject } = (request.socket as TLSSocket).getPeerCertificate();
        const [path = ''] = (request.url ?? '').split('?');
        seen.set(path, { subject: String(subject?.CN ?? ''), authorization: request.headers.authorization ?? '' });
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ kind, apiVersion, response: { uid, allowed: true } }));
      });
    }),
  );
  const port = new URL(hooks.url).port;
  await writeFile(join(folder, 'token'), 'of a file\n');
  await writeFile(join(folder, 'admin.crt'), pki.admin.certificate);
  const user = (name: string, credentials: JsonObject): JsonObject => ({ name, user: credentials });
  const kubeconfig = {
    kind: 'Config',
    apiVersion: 'v1',
    contexts: [],
    clusters: [],
    'current-context': '',
    users: [
      user('one.hooks.svc', { token: 'of one' }),
      user('*.hooks.svc:8443', { username: 'ann', password: 'secret' }),
      user(`127.0.0.1:${port}`, { 'client-certificate': 'admin.crt', 'client-key-data': base64(pki.admin.key) }),
      user('*', { tokenFile: 'token' }),
    ],
  };
  await writeFile(join(folder, 'kubeconfig'), JSON.stringify(kubeconfig));
  const plugin = (name: string): JsonObject => ({
    name,
    configuration: {
      kind: 'WebhookAdmissionConfiguration',
      apiVersion: 'apiserver.config.k8s.io/v1',
      kubeConfigFile: join(folder, 'kubeconfig'),
    },
  });
  const configFile = join(folder, 'admission.json');
  const plugins = ['ValidatingAdmissionWebhook', 'MutatingAdmissionWebhook'].map(plugin);
  const configuration = { kind: 'AdmissionConfiguration', apiVersion: 'apiserver.config.k8s.io/v1', plugins };
  await writeFile(configFile, JSON.stringify(configuration));
  const address = `127.0.0.1:${port}`;
  const config = {
    ...asAlone,
    admission: { ...configDefaults.admission, configFile },
    aggregation: {
      ...configDefaults.aggregation,
      serviceAddresses: serviceAddresses([
        `one.hooks.svc=${address}`,
        `two.hooks:8443=${address},three.others=${address}`,
      ]),
    },
  };
  server = opened.use(await startTestServer({}, { inMemory: true }, { config }));
}, 60_000);

afterAll(() => opened.disposeAsync());

interface Target {
  readonly url?: string;
  readonly service?: {
    readonly name: string;
    readonly namespace: string;
    readonly path: string;
    readonly port?: number;
  };
}

test.each<[string, Target, string, string]>([
  ['a service by its name', { service: { name: 'one', namespace: 'hooks', path: '/one' } }, '', 'Bearer of one'],
  [
    'a service by a wildcard and its port',
    { service: { name: 'two', namespace: 'hooks', path: '/two', port: 8443 } },
    '',
    `Basic ${base64('ann:secret')}`,
  ],
  ['any other', { service: { name: 'three', namespace: 'others', path: '/three' } }, '', 'Bearer of a file'],
  ['a URL by its host and port', { url: '/four' }, 'kubernetes-admin', ''],
])('webhooks identify the caller: %s', async (_, { url, service }, subject, authorization) => {
  using client = await ApiClient.connect(server);
  const [path = ''] = [url ?? service?.path];
  const name = path.slice(1);
  const clientConfig = {
    caBundle: base64(hooks.authority),
    ...(url === undefined ? { service } : { url: `${hooks.url}${url}` }),
  };
  const body = {
    kind: 'ValidatingWebhookConfiguration',
    apiVersion: 'admissionregistration.k8s.io/v1',
    metadata: { name },
    webhooks: [
      {
        name: 'a.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig,
        objectSelector: { matchLabels: { for: name } },
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      },
    ],
  };
  const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  expect(await client.send('POST', configurations, { body })).toMatchObject({ code: 201 });
  const map = { metadata: { name, labels: { for: name } } };
  const answer = await client.send('POST', '/api/v1/namespaces/default/configmaps', { body: map });
  expect(answer).toMatchObject({ code: 201 });
  expect(seen.get(path)).toEqual({ subject, authorization });
});
