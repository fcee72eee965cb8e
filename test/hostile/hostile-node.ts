import { ownAddress } from '../streams/play.ts';
import type { HostileClient } from './hostile-client.ts';
import { portOf } from './hostile-upstream.ts';

export const core = '/api/v1';

async function send(client: HostileClient, path: string, object: object): Promise<void> {
  const { code, text } = await client.send({ path, body: JSON.stringify(object) });
  if (code !== 201) throw new Error(`${path} was answered ${code}: ${text.slice(0, 300)}`);
}

/** A node whose kubelet does a misdeed, and a pod on it; both of this name. */
export async function putNode(client: HostileClient, name: string, misdeed: string): Promise<void> {
  const port = await portOf(misdeed);
  await client.send({ method: 'DELETE', path: `${core}/namespaces/default/pods/${name}?gracePeriodSeconds=0` });
  await client.send({ method: 'DELETE', path: `${core}/nodes/${name}` });
  // Requests are not proxied to loopback addresses.
  const address = ownAddress();
  if (address === undefined) throw new Error('this machine has no address besides loopback');
  const addresses = [{ type: 'InternalIP', address }];
  await send(client, `${core}/nodes`, {
    metadata: { name },
    status: { addresses, daemonEndpoints: { kubeletEndpoint: { Port: port } } },
  });
  await send(client, `${core}/namespaces/default/pods`, {
    metadata: { name },
    spec: { nodeName: name, containers: [{ name: 'main', image: 'none' }] },
  });
}
