import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonValue } from '../../../src/api/json/json.ts';
import { ApiClient } from '../../api-client.ts';
import { expectCreated } from '../../case-objects.ts';
import { jsonOf } from '../../https-server.ts';
import type { TestServer } from '../../server-fixture.ts';
import { stringValue } from '../../webhooks/case-parts.ts';
import { type CertificateCase, certificateCases, service } from '../../webhooks/certificate-cases.ts';
import type { Review } from '../../webhooks/hook-server.ts';

export interface CertificateResult {
  readonly name: string;
  readonly code: number;
  readonly message: JsonValue;
}

export interface PlayedCertificates {
  readonly results: readonly CertificateResult[];
  /** What metrics say of them. */
  readonly counted: readonly string[];
}

export interface PlayCertificatesOptions {
  readonly server: Pick<TestServer, 'url' | 'kubeconfigPath'>;
  /** How long the server may take to notice configurations. */
  readonly settleMs: number;
}

/** The answers to writes that the webhooks of all cases are asked about, and what is counted. */
export async function playCertificates({ server, settleMs }: PlayCertificatesOptions): Promise<PlayedCertificates> {
  await using opened = new AsyncDisposableStack();
  const client = opened.use(await ApiClient.connect(server));
  const { name, namespace } = service;
  expectCreated(await client.send('POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } } }));
  const spec = { type: 'ExternalName', externalName: 'localhost' };
  const services = `/api/v1/namespaces/${namespace}/services`;
  expectCreated(await client.send('POST', services, { body: { metadata: { name }, spec } }));
  for (const [index, each] of certificateCases.entries()) {
    const hook = opened.use(await startHook(each));
    await configure(client, each, { index, port: (hook.address() as AddressInfo).port });
  }
  await sleep(settleMs);
  const results: CertificateResult[] = [];
  for (const [index, each] of certificateCases.entries()) {
    const body = { metadata: { name: `case-${index}`, labels: { case: String(index) } } };
    const answer = await client.send('POST', `/api/v1/namespaces/${namespace}/configmaps`, { body });
    const message = answer.code === 201 ? '' : normalized(stringValue(answer.body['message']));
    results.push({ name: each.name, code: answer.code, message });
  }
  const metrics = await client.text('/metrics');
  return { results, counted: metrics.split('\n').filter((line) => line.startsWith('apiserver_webhooks_x509_')) };
}

/** Allows everything. */
async function startHook({ shown, settings }: CertificateCase): Promise<Server & AsyncDisposable> {
  const server = createServer({ ...shown, ...settings }, (request, response) => {
    void jsonOf<Review>(request).then(({ kind, apiVersion, request: { uid } }) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ kind, apiVersion, response: { uid, allowed: true } }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function configure(
  client: ApiClient,
  { by, caBundle }: CertificateCase,
  { index, port }: { readonly index: number; readonly port: number },
): Promise<void> {
  const place = by === 'service' ? { service: { ...service, port } } : { url: `https://${by}:${port}/` };
  const webhook = {
    name: 'hook.example.com',
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
    objectSelector: { matchLabels: { case: String(index) } },
    clientConfig: { ...place, caBundle: Buffer.from(caBundle).toString('base64') },
  };
  const body = { metadata: { name: `certificates-${index}` }, webhooks: [webhook] };
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  expectCreated(await client.send('POST', path, { body }));
}

/** Without ports and times. */
function normalized(message: string): string {
  return message.replaceAll(/:\d{4,5}\b/g, ':PORT').replaceAll(/\d{4}-\d\d-\d\dT[\d:]{8}Z/g, 'TIME');
}
