import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { openEtcdStorage } from '../../src/storage/etcd/engine.ts';
import { answerOf } from '../api-client.ts';
import { spawnBinnacle } from '../durability/server-process.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { freePort } from '../free-port.ts';
import { writeKubeadmPki } from './kubeadm-pki.ts';

/** The arguments of kube-apiserver in the static pod of kubeadm 1.37, but for the folder of the files and the ports. */
function kubeadmArguments(pki: string, { port, etcdUrl }: { readonly port: number; readonly etcdUrl: string }) {
  return [
    '--advertise-address=192.0.2.10',
    '--allow-privileged=true',
    '--authorization-mode=Node,RBAC',
    `--client-ca-file=${pki}/ca.crt`,
    '--enable-admission-plugins=NodeRestriction',
    '--enable-bootstrap-token-auth=true',
    `--etcd-cafile=${pki}/etcd/ca.crt`,
    `--etcd-certfile=${pki}/apiserver-etcd-client.crt`,
    `--etcd-keyfile=${pki}/apiserver-etcd-client.key`,
    `--etcd-servers=${etcdUrl}`,
    `--kubelet-client-certificate=${pki}/apiserver-kubelet-client.crt`,
    `--kubelet-client-key=${pki}/apiserver-kubelet-client.key`,
    '--kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname',
    `--proxy-client-cert-file=${pki}/front-proxy-client.crt`,
    `--proxy-client-key-file=${pki}/front-proxy-client.key`,
    '--requestheader-allowed-names=front-proxy-client',
    `--requestheader-client-ca-file=${pki}/front-proxy-ca.crt`,
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-username-headers=X-Remote-User',
    `--secure-port=${port}`,
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-account-key-file=${pki}/sa.pub`,
    `--service-account-signing-key-file=${pki}/sa.key`,
    '--service-cluster-ip-range=10.96.0.0/12',
    `--tls-cert-file=${pki}/apiserver.crt`,
    `--tls-private-key-file=${pki}/apiserver.key`,
  ];
}

describeWithEtcd('the static pod of kubeadm', () => {
  let folder: string;
  let pki: string;
  let etcd: EtcdProcess;
  let url: string;
  let child: ReturnType<typeof spawnBinnacle>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'binnacle-kubeadm-'));
    pki = join(folder, 'pki');
    await writeKubeadmPki(pki);
    const file = (name: string): string => join(pki, 'etcd', name);
    etcd = await EtcdProcess.start({
      tls: { caFile: file('ca.crt'), certFile: file('server.crt'), keyFile: file('server.key') },
    });
    const port = await freePort();
    url = `https://127.0.0.1:${port}`;
    const args = kubeadmArguments(pki, { port, etcdUrl: etcd.url });
    child = spawnBinnacle(['serve', ...args, '--data-dir', join(folder, 'data')]);
    child.stderr.pipe(process.stderr, { end: false });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
    child.stdout.setEncoding('utf8').on('data', (text: string) => text.includes(' serves ') && resolve());
    await promise;
  });

  afterAll(async () => {
    child?.kill('SIGKILL');
    await etcd?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  /** As the owner of a client certificate. */
  async function send(
    client: string,
    path: string,
    { headers = {}, body }: { readonly headers?: { readonly [name: string]: string }; readonly body?: object } = {},
  ): Promise<{ readonly code: number; readonly text: string }> {
    const read = (name: string): Buffer => readFileSync(join(pki, name));
    const credentials = client === '' ? {} : { cert: read(`${client}.crt`), key: read(`${client}.key`) };
    const session = connect(url, { ca: read('ca.crt'), ...credentials });
    const method = body === undefined ? {} : { ':method': 'POST', 'content-type': 'application/json' };
    const stream = session.request({ ':path': path, ...method, ...headers });
    stream.end(body === undefined ? undefined : JSON.stringify(body));
    const { headers: answered, bytes } = await answerOf(stream);
    session.close();
    return { code: Number(answered[':status']), text: bytes.toString() };
  }

  test('answers the probes without credentials', async () => {
    await expect
      .poll(async () => (await send('', '/readyz?verbose')).text, { timeout: 60_000 })
      .toContain('readyz check passed');
    expect(await send('', '/livez')).toEqual({ code: 200, text: 'ok' });
  });

  test('knows administrators by the certificate authority, and stores in etcd', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    const created = await send('admin', path, { body: { metadata: { name: 'made' } } });
    expect(created.code).toBe(201);
    const files = {
      caFile: join(pki, 'etcd/ca.crt'),
      certFile: join(pki, 'apiserver-etcd-client.crt'),
      keyFile: join(pki, 'apiserver-etcd-client.key'),
    };
    await using storage = await openEtcdStorage({ servers: [etcd.url], ...files });
    const { kv } = await storage.get('/registry/configmaps/default/made');
    expect(kv?.value.toString()).toContain('"name":"made"');
  });

  test('believes the front proxy, and no other client, who a user is', async () => {
    const headers = { 'x-remote-user': 'jane', 'x-remote-group': 'system:authenticated' };
    const review = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const userOf = async (client: string): Promise<unknown> =>
      (JSON.parse((await send(client, review, { headers, body: {} })).text) as { status: { userInfo: JsonObject } })
        .status.userInfo['username'];
    expect(await userOf('front-proxy-client')).toBe('jane');
    expect(await userOf('admin')).toBe('kubernetes-super-admin');
  });

  test('signs tokens of accounts with the key, under the issuer', async () => {
    const account = '/api/v1/namespaces/default/serviceaccounts';
    await send('admin', account, { body: { metadata: { name: 'builder' } } });
    const requested = await send('admin', `${account}/builder/token`, { body: { spec: {} } });
    const { token } = (JSON.parse(requested.text) as { status: { token: string } }).status;
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as JsonObject;
    expect(claims['iss']).toBe('https://kubernetes.default.svc.cluster.local');
    const authorization = `Bearer ${token}`;
    const seen = await send('', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      headers: { authorization },
      body: {},
    });
    expect(JSON.parse(seen.text)).toMatchObject({
      status: { userInfo: { username: 'system:serviceaccount:default:builder' } },
    });
  });

  test('allots addresses of the range, and advertises its own', async () => {
    const service = await send('admin', '/api/v1/namespaces/default/services/kubernetes');
    expect(JSON.parse(service.text)).toMatchObject({ spec: { clusterIP: '10.96.0.1' } });
    const endpoints = '/api/v1/namespaces/default/endpoints/kubernetes';
    await expect.poll(async () => (await send('admin', endpoints)).text).toContain('"ip":"192.0.2.10"');
  });
});
