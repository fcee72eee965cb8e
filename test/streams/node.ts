import type { ApiClient } from '../api-client.ts';

/** Where a kubelet of this machine listens. */
export interface NodeAddress {
  readonly name: string;
  readonly port: number;
}

export async function createNode(admin: ApiClient, { name, port }: NodeAddress): Promise<void> {
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  };
  await admin.send('POST', '/api/v1/nodes', { body: { metadata: { name }, status } });
}

export interface NodePod {
  readonly namespace: string;
  readonly name: string;
  readonly nodeName: string;
  /** Fields of its only container. */
  readonly container?: object;
}

/** A pod on a node. */
export async function createPod(
  admin: ApiClient,
  { namespace, name, nodeName, container = {} }: NodePod,
): Promise<void> {
  const containers = [{ name: 'main', image: 'none', ...container }];
  await admin.send('POST', `/api/v1/namespaces/${namespace}/pods`, {
    body: { metadata: { name }, spec: { nodeName, containers } },
  });
}

/** Creates a pod and reports it as a kubelet does when its container runs. */
export async function createRunningPod(admin: ApiClient, pod: NodePod): Promise<void> {
  await createPod(admin, pod);
  const running = { name: 'main', ready: true, image: 'none', imageID: '', restartCount: 0, state: { running: {} } };
  await admin.send('PATCH', `/api/v1/namespaces/${pod.namespace}/pods/${pod.name}/status`, {
    body: { status: { phase: 'Running', containerStatuses: [running] } },
    contentType: 'application/merge-patch+json',
  });
}
