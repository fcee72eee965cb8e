import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { systemClock } from '../../src/api/time/clock.ts';
import { openCertificateStore } from '../../src/authentication/pki/certificate-store.ts';
import { ApiClient } from '../api-client.ts';
import { type Said, ways } from '../authentication/ask-who.ts';
import { rawToken } from '../authentication/token-issuer.ts';
import { keyId } from '../../src/authentication/service-account/keys.ts';
import { convertedShips } from '../definitions/conversion-webhook.ts';
import { define, ship, shipsPath, specSchema } from '../definitions/definitions.ts';
import { adminTls } from '../server-fixture.ts';
import { createRunningPod } from '../streams/node.ts';
import { startKonnectivity } from './konnectivity.ts';
import { egressFile, farAddress, type Proxy, startProxy, throughSocket } from './proxies.ts';
import { startSurroundings, type Surroundings } from './surroundings.ts';

/** A proxy for each network, both of which lead to this machine. */
interface Proxies {
  readonly cluster: Proxy;
  readonly controlplane: Proxy;
  readonly file: string;
}

async function overTls(folder: string): Promise<Proxies> {
  const serverNames = { dnsNames: ['egress.example'], ipAddresses: [] };
  const pki = await openCertificateStore({ folder: join(folder, 'proxy'), serverNames, clock: systemClock });
  const files = { caBundle: pki.authority, clientCert: pki.admin.certificate, clientKey: pki.admin.key };
  const tlsConfig: { [name: string]: string } = { tlsServerName: 'egress.example' };
  for (const [name, text] of Object.entries(files)) {
    tlsConfig[name] = join(folder, `${name}.pem`);
    await writeFile(tlsConfig[name], text);
  }
  const { certificate: cert, key } = pki.server;
  const cluster = await startProxy({ tls: { cert, key, ca: pki.authority } });
  const socket = join(folder, 'controlplane.sock');
  const tcp = { url: `https://127.0.0.1:${cluster.port}`, tlsConfig };
  const connections = {
    cluster: { proxyProtocol: 'HTTPConnect', transport: { tcp } },
    controlplane: throughSocket(socket),
  };
  return { cluster, controlplane: await startProxy({ path: socket }), file: egressFile(connections) };
}

async function overTcp(folder: string): Promise<Proxies> {
  const cluster = await startProxy({ path: join(folder, 'cluster.sock') });
  const controlplane = await startProxy({});
  const connections = {
    cluster: throughSocket(join(folder, 'cluster.sock')),
    master: { proxyProtocol: 'HTTPConnect', transport: { tcp: { url: `http://127.0.0.1:${controlplane.port}` } } },
  };
  return { cluster, controlplane, file: egressFile(connections) };
}

async function overGrpc(folder: string): Promise<Proxies> {
  const paths = { cluster: join(folder, 'cluster.sock'), controlplane: join(folder, 'controlplane.sock') };
  const file = egressFile({
    cluster: throughSocket(paths.cluster, 'GRPC'),
    controlplane: throughSocket(paths.controlplane, 'GRPC'),
  });
  const [cluster, controlplane] = [await startKonnectivity(paths.cluster), await startKonnectivity(paths.controlplane)];
  return { cluster, controlplane, file };
}

const starts: readonly (readonly [string, (folder: string) => Promise<Proxies>])[] = [
  ['HTTP over TLS and a socket', overTls],
  ['HTTP over a socket and TCP', overTcp],
  ['gRPC over sockets', overGrpc],
];

describe.each(starts)('through proxies by %s', (_name, start) => {
  const opened = new AsyncDisposableStack();
  let proxies: Proxies;
  let around: Surroundings;
  let client: ApiClient;

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'binnacle-egress-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    proxies = await start(folder);
    opened.use(proxies.cluster);
    opened.use(proxies.controlplane);
    around = opened.use(await startSurroundings(folder, proxies.file));
    client = around.aggregated.client;
    const status = {
      addresses: [{ type: 'InternalIP', address: farAddress }],
      daemonEndpoints: { kubeletEndpoint: { Port: around.kubelet.port } },
    };
    await client.send('POST', '/api/v1/nodes', { body: { metadata: { name: 'far' }, status } });
    await createRunningPod(client, { namespace: 'default', name: 'one', nodeName: 'far' });
    await client.send('PATCH', '/api/v1/namespaces/default/pods/one/status', {
      body: { status: { podIP: farAddress, podIPs: [{ ip: farAddress }] } },
      contentType: 'application/merge-patch+json',
    });
  }, 60_000);

  afterAll(() => opened.disposeAsync());

  /** Proxies that have been asked for a port of this machine since the beginning. */
  function askedFor(port: number | string): readonly string[] {
    const { cluster, controlplane } = proxies;
    return Object.entries({ cluster, controlplane })
      .filter(([, { targets }]) => targets.some((address) => address.endsWith(`:${port}`)))
      .map(([network]) => network);
  }

  const portOf = (url: string): string => new URL(url).port;
  const pod = '/api/v1/namespaces/default/pods/one';

  test('API servers behind services are called over the cluster', async () => {
    const { port } = around.aggregated.extension;
    expect(await client.send('GET', '/apis/tides.example/v1')).toMatchObject({ code: 200 });
    expect(askedFor(port)).toEqual(['cluster']);
  });

  test('logs, streams and proxies of nodes are', async () => {
    expect(await client.text(`${pod}/log`)).toBe('a line\nanother\n');
    expect(await client.send('GET', '/api/v1/nodes/far/proxy/a')).toMatchObject({ code: 201 });
    expect(askedFor(around.kubelet.port)).toEqual(['cluster']);
  });

  test.each(['v4.channel.k8s.io', 'v5.channel.k8s.io'])('a stream of %s brings everything back', async (protocol) => {
    const { url, kubeconfigPath } = around.aggregated.server;
    const path = `${url.replace('https', 'wss')}${pod}/exec?command=a&stdin=1&stdout=1`;
    const socket = new WebSocket(path, [protocol], await adminTls(kubeconfigPath));
    await once(socket, 'open');
    const sentBytes = 1024 * 1024;
    let heardBytes = 0;
    socket.on('message', (message: Buffer) => (heardBytes += message.length));
    socket.send(Buffer.concat([Buffer.from([0]), Buffer.alloc(sentBytes, 'x')]));
    await vi.waitFor(() => expect(heardBytes).toBeGreaterThanOrEqual(sentBytes), { timeout: 10_000 });
    socket.terminate();
    await vi.waitFor(async () => expect(await around.kubelet.connections()).toBeLessThanOrEqual(2));
  });

  test('pods are, without TLS of their own', async () => {
    const { podPort } = around;
    expect(await client.text(`/api/v1/namespaces/default/pods/one:${podPort}/proxy/`)).toBe('a pod');
    expect(askedFor(podPort)).toEqual(['cluster']);
  });

  describe('webhooks', () => {
    let received: number;
    beforeEach(() => (received = around.hooks.received.length));

    /** Creates objects until the webhook is called. */
    async function called(name: string, clientConfig: object): Promise<void> {
      const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
      const webhook = {
        name: `${name}.hooks.example`,
        clientConfig,
        rules: [rule],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        objectSelector: { matchLabels: { case: name } },
      };
      const body = { metadata: { name }, webhooks: [webhook] };
      const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
      expect(await client.send('POST', path, { body })).toMatchObject({ code: 201 });
      for (let count = 0; around.hooks.received.length === received; count += 1) {
        const metadata = { name: `${name}-${count}`, labels: { case: name } };
        const made = await client.send('POST', '/api/v1/namespaces/default/configmaps', { body: { metadata } });
        expect(made).toMatchObject({ code: 201 });
      }
    }

    test('by URL are called over the control plane, those behind services over the cluster', async () => {
      const { url, caBundle } = around.hooks;
      const port = portOf(url);
      await called('url', { url: `${url}/a`, caBundle });
      expect(askedFor(port)).toEqual(['controlplane']);
      received = around.hooks.received.length;
      await client.send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'hooks' } } });
      const spec = { type: 'ExternalName', externalName: 'localhost' };
      await client.send('POST', '/api/v1/namespaces/hooks/services', { body: { metadata: { name: 'hooks' }, spec } });
      await called('service', { service: { name: 'hooks', namespace: 'hooks', port: Number(port) }, caBundle });
      expect(askedFor(port)).toEqual(['cluster', 'controlplane']);
    });

    test('of definitions are no others', async () => {
      const versions = [
        { name: 'v1', schema: specSchema({ name: { type: 'string' } }) },
        { name: 'v2', schema: specSchema({ title: { type: 'string' } }) },
      ];
      await define(client, convertedShips(around.conversion, versions));
      await client.send('POST', shipsPath(), { body: ship('one', { name: 'first' }) });
      expect((await client.send('GET', `${shipsPath('v2')}/one`)).body['spec']).toEqual({ title: 'first' });
      expect(askedFor(portOf(around.conversion.url))).toEqual(['controlplane']);
    });

    test('of authentication, authorization and audit are called over the control plane', async () => {
      expect(await identityOf('anything')).toContain('of-webhook');
      const headers = { 'impersonate-user': 'ann' };
      expect(await client.send('GET', '/api/v1/nodes', { headers })).toMatchObject({ code: 200 });
      expect([...around.reviews.requested].toSorted()).toEqual(['/access', '/audit', '/tokens']);
      expect(askedFor(portOf(around.reviews.url))).toEqual(['controlplane']);
    });
  });

  test('issuers are asked over the network that they name', async () => {
    const { url, key, keys } = around.issuer;
    const [published = key] = keys;
    const claims = { iss: url, aud: 'crew', sub: 'ann', exp: Math.floor(systemClock.now() / 1_000) + 600 };
    const token = rawToken({ alg: 'RS256', kid: keyId(published) }, claims, key);
    await vi.waitFor(async () => expect(await identityOf(token)).toContain('o:ann'), 10_000);
    expect(askedFor(portOf(url))).toEqual(['cluster']);
  });

  test('clients show their certificate', () => {
    const isSecure = proxies.cluster.port !== 0;
    expect([...proxies.cluster.clients]).toEqual(isSecure ? ['kubernetes-admin'] : []);
  });

  /** What the server says of who presents a token. */
  async function identityOf(token: string): Promise<Said | undefined> {
    return ways['HTTP/2']?.(around.aggregated.server.url, { headers: [['authorization', `Bearer ${token}`]] });
  }
});
