import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../src/api/json/json.ts';
import { TokenClient } from '../authorization/token-client.ts';
import { EtcdProcess } from '../etcd-process.ts';
import { skipWithoutReference, startReference } from '../reference-server.ts';
import { startTestServer } from '../server-fixture.ts';
import { serverConfigFor } from './flags.ts';

const withReference = !skipWithoutReference();

/** The servers under test: expectations hold for all of them. */
export const serverNames: readonly string[] = ['binnacle', ...(withReference ? ['kube-apiserver'] : [])];

export interface Servers extends AsyncDisposable {
  readonly folder: string;
  /** By name. */
  readonly urls: { readonly [name: string]: string };
}

/** Issuer of the service account tokens of all servers. */
export const issuer = 'https://kubernetes.default.svc';

/** An administrator's token on all servers. */
export const root = 'tok-root';

/** Starts them with the same flags; `flagsOf` may write files into the directory. */
export async function startServers(
  flagsOf: (folder: string, name: string) => Promise<readonly string[]>,
): Promise<Servers> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-authentication-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const tokens = join(folder, 'tokens.csv');
  await writeFile(tokens, `${root},root,u4,"system:masters"\ntok-tom,tom,t1\n`);
  const usual = [`--token-auth-file=${tokens}`];
  const ours = [
    ...usual,
    ...(await flagsOf(folder, 'binnacle')),
    '--authorization-mode=RBAC',
    `--service-account-issuer=${issuer}`,
  ];
  const config = { ...serverConfigFor(ours), logging: { level: 'silent' } as const };
  const urls: { [name: string]: string } = {};
  urls['binnacle'] = opened.use(
    await startTestServer({}, { inMemory: true }, { config: { ...config, controllers: [] } }),
  ).url;
  if (withReference) {
    const etcd = opened.use(await EtcdProcess.start());
    const theirs = [...usual, ...(await flagsOf(folder, 'kube-apiserver'))];
    urls['kube-apiserver'] = opened.use(await startReference(etcd.url, theirs)).url;
  }
  const running = opened.move();
  return { folder, urls, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** The result of a TokenReview. */
export async function review(url: string, token: string, audiences?: readonly string[]): Promise<unknown> {
  using client = new TokenClient(url);
  const kinds = { kind: 'TokenReview', apiVersion: 'authentication.k8s.io/v1' };
  const body = { ...kinds, spec: { token, ...(audiences === undefined ? {} : { audiences }) } };
  const path = '/apis/authentication.k8s.io/v1/tokenreviews';
  const answer = await client.send({ method: 'POST', path, token: root, body });
  return (answer.body as JsonObject)['status'];
}

/** A kubeconfig for an external server. */
export function kubeconfigOf(server: string, authority: string, user: object = {}): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    clusters: [
      { name: 'k', cluster: { server, 'certificate-authority-data': Buffer.from(authority).toString('base64') } },
    ],
    users: [{ name: 'u', user }],
  });
}
