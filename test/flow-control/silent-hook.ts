import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { ApiClient } from '../api-client.ts';

const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

/** A webhook that is connected to and never answers: creating a ConfigMap takes four seconds. */
export class SilentHook implements AsyncDisposable {
  readonly #server = createServer((socket) => void this.#sockets.add(socket));
  readonly #sockets = new Set<Socket>();
  readonly #client: ApiClient;

  static async start(client: ApiClient): Promise<SilentHook> {
    const hook = new SilentHook(client);
    await hook.#listen();
    return hook;
  }

  private constructor(client: ApiClient) {
    this.#client = client;
  }

  async #listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = this.#server.address() as AddressInfo;
    const url = `https://127.0.0.1:${port}/`;
    await made(this.#client, configurations, {
      metadata: { name: 'silent' },
      webhooks: [
        {
          name: 'silent.example.com',
          clientConfig: { url },
          timeoutSeconds: 4,
          failurePolicy: 'Ignore',
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        },
      ],
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.send('DELETE', `${configurations}/silent`);
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export async function made(client: ApiClient, path: string, body: object): Promise<void> {
  const { code, body: answer } = await client.send('POST', path, { body });
  if (code !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
}

/** Lets a user do everything. */
export function allowAll(client: ApiClient, name: string): Promise<void> {
  return made(client, '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name }],
  });
}
