import type { PartContext } from '../../api/contracts/part.ts';
import { ClusterConnections, type KubeletCredentials } from '../../outgoing/cluster-connections.ts';
import type { KubeletConfig } from '../config.ts';

/** Connections to nodes, pods and services, with the configured files. */
export async function openConnections(
  { authorityFile, certificateFile, keyFile }: KubeletConfig,
  { readFile, egress }: Pick<PartContext, 'readFile' | 'egress'>,
): Promise<ClusterConnections> {
  const connections = new ClusterConnections(egress?.cluster);
  const read = async (part: keyof KubeletCredentials, path: string | undefined): Promise<void> => {
    if (path !== undefined)
      connections.renew({ [part]: await readFile(path, (text) => connections.renew({ [part]: text })) });
  };
  await Promise.all([read('authority', authorityFile), read('certificate', certificateFile), read('key', keyFile)]);
  return connections;
}
