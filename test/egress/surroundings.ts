import { writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { JsonObject } from '../../src/api/json/json.ts';
import type { ServerConfig } from '../../src/server/config.ts';
import { type AggregatedServer, startAggregatedServer } from '../aggregation/aggregated-server.ts';
import { kubeconfigOf } from '../authentication/both-servers.ts';
import { configOf } from '../authentication/flags.ts';
import { startTokenIssuer, type TokenIssuer } from '../authentication/token-issuer.ts';
import { type ConversionWebhook, startConversionWebhook } from '../definitions/conversion-webhook.ts';
import { type HttpsServer, jsonOf, startHttpsServer } from '../https-server.ts';
import { type Kubelet, startKubelet } from '../streams/kubelet.ts';
import { type HookServer, startHookServer } from '../webhooks/hook-server.ts';

/** A server, and all others that it calls. */
export interface Surroundings extends AsyncDisposable {
  readonly aggregated: AggregatedServer;
  readonly kubelet: Kubelet;
  readonly hooks: HookServer;
  readonly conversion: ConversionWebhook;
  readonly issuer: TokenIssuer;
  /** Webhooks of authentication, authorization and audit. */
  readonly reviews: HttpsServer & { readonly requested: ReadonlySet<string> };
  /** What runs in a pod, without TLS. */
  readonly podPort: number;
}

export async function startSurroundings(folder: string, egress: string): Promise<Surroundings> {
  await using opened = new AsyncDisposableStack();
  const hooks = opened.use(await startHookServer(folder, () => ({ response: { allowed: true } })));
  const conversion = opened.use(await startConversionWebhook(folder));
  const kubelet = opened.use(await startKubelet(join(folder, 'kubelet'), '127.0.0.1'));
  const issuer = opened.use(await startTokenIssuer(folder, 'issuer'));
  const reviews = opened.use(await startReviews(folder));
  const pod = createServer((_request, response) => void response.end('a pod')).listen(0, '127.0.0.1');
  await once(pod, 'listening');
  opened.defer(() => new Promise<void>((resolve) => void pod.close(() => resolve())));
  const config = await configured(folder, { egress, issuer, reviews });
  const aggregated = opened.use(await startAggregatedServer(config));
  const { port: podPort } = pod.address() as AddressInfo;
  const running = opened.move();
  const all = { aggregated, kubelet, hooks, conversion, issuer, reviews, podPort };
  return { ...all, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

async function startReviews(folder: string): Promise<Surroundings['reviews']> {
  const requested = new Set<string>();
  const server = await startHttpsServer({ folder: join(folder, 'reviews') }, (request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    requested.add(path);
    void jsonOf<JsonObject>(request).then((review) => answer(response, { ...review, status: statuses[path] ?? {} }));
  });
  return { ...server, requested };
}

const statuses: { readonly [path: string]: JsonObject } = {
  '/tokens': { authenticated: true, user: { username: 'of-webhook' } },
  '/access': { allowed: true },
};

function answer(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

interface Configured extends Pick<Surroundings, 'issuer' | 'reviews'> {
  readonly egress: string;
}

async function configured(folder: string, { egress, issuer, reviews }: Configured): Promise<Partial<ServerConfig>> {
  const written = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const webhook = (name: string): Promise<string> =>
    written(`${name}.kubeconfig`, kubeconfigOf(`${reviews.url}/${name}`, reviews.authority));
  const jwt = {
    issuer: {
      url: issuer.url,
      certificateAuthority: issuer.authority,
      audiences: ['crew'],
      egressSelectorType: 'cluster',
    },
    claimMappings: { username: { claim: 'sub', prefix: 'o:' } },
  };
  const authentication = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthenticationConfiguration', jwt: [jwt] };
  const policy = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] };
  const config = configOf([
    `--egress-selector-config-file=${await written('egress.json', egress)}`,
    `--authentication-config=${await written('authentication.json', JSON.stringify(authentication))}`,
    `--authentication-token-webhook-config-file=${await webhook('tokens')}`,
    '--authorization-mode=RBAC,Webhook',
    `--authorization-webhook-config-file=${await webhook('access')}`,
    `--audit-policy-file=${await written('policy.json', JSON.stringify(policy))}`,
    `--audit-webhook-config-file=${await webhook('audit')}`,
    '--audit-webhook-mode=blocking',
  ]);
  const { authentication: authenticators, authorization, audit } = config;
  return { authentication: authenticators, authorization, audit, egress: config.egress };
}
