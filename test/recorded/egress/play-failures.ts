import { join } from 'node:path';
import type { ApiClient } from '../../api-client.ts';
import { startBadKonnectivity, tunnelMisdeeds } from '../../egress/konnectivity.ts';
import { egressFile, misdeeds, startBadProxy, throughSocket } from '../../egress/proxies.ts';

/** The socket of the proxy for URLs, and one where there is none. */
export const sockets = { bad: 'bad.sock', missing: 'missing.sock' } as const;

/** Proxies that fail. */
export interface Play {
  /** The JSON of an EgressSelectorConfiguration for sockets of a folder. */
  readonly file: (folder: string) => string;
  readonly start: (path: string) => Promise<AsyncDisposable>;
  /** What goes wrong: webhooks by name. */
  readonly webhooks: { readonly [name: string]: object };
}

const byUrl = (names: readonly string[]) =>
  Object.fromEntries([...names, 'silent'].map((name) => [name, { url: `https://${name}.example/a` }]));

export const plays: { readonly [name: string]: Play } = {
  'http-failures': {
    file: (folder) =>
      egressFile({
        controlplane: throughSocket(join(folder, sockets.bad)),
        cluster: throughSocket(join(folder, sockets.missing)),
      }),
    start: startBadProxy,
    webhooks: {
      ...byUrl(Object.keys(misdeeds)),
      away: { service: { namespace: 'default', name: 'hooks', path: '/a' } },
    },
  },
  'grpc-failures': {
    file: (folder) => egressFile({ controlplane: throughSocket(join(folder, sockets.bad), 'GRPC') }),
    start: startBadKonnectivity,
    webhooks: byUrl(Object.keys(tunnelMisdeeds)),
  },
};

/** What requests are told whose webhooks are called through proxies that fail, by what goes wrong. */
export async function playFailures(
  client: ApiClient,
  { webhooks }: Play,
  folder: string,
): Promise<{ readonly [name: string]: string }> {
  const service = { metadata: { name: 'hooks' }, spec: { clusterIP: '10.0.0.77', ports: [{ port: 443 }] } };
  await client.send('POST', '/api/v1/namespaces/default/services', { body: service });
  const results: { [name: string]: string } = {};
  for (const [name, clientConfig] of Object.entries(webhooks)) {
    const body = configuration(name, clientConfig);
    const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
    await client.send('POST', path, { body });
    // On a busy machine a second may have passed.
    results[name] = (await refused(client, name)).replaceAll(folder, 'FOLDER').replace('timeout=9s', 'timeout=10s');
    await client.send('DELETE', `${path}/${name}`);
  }
  return results;
}

function configuration(name: string, clientConfig: object): object {
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
  const webhook = {
    name: `${name}.hooks.example`,
    clientConfig,
    rules: [rule],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    failurePolicy: 'Fail',
    timeoutSeconds: name === 'silent' ? 1 : 10,
    objectSelector: { matchLabels: { case: name } },
  };
  return { metadata: { name }, webhooks: [webhook] };
}

/** A webhook is called soon after it has been stored. */
async function refused(client: ApiClient, name: string): Promise<string> {
  for (let count = 0; ; count += 1) {
    const metadata = { name: `${name}-${count}`, labels: { case: name } };
    const { code, body } = await client.send('POST', '/api/v1/namespaces/default/configmaps', { body: { metadata } });
    if (code !== 201) return `${code} ${JSON.stringify(body['message'])}`;
  }
}
