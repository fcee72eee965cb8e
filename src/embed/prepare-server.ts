import { join } from 'node:path';
import { readKubeconfig } from '../authentication/pki/kubeconfig.ts';
import type { RunningServer, ServerConfig } from '../server/config.ts';
import { pkiFolder } from '../server/serving.ts';
import { Administrator } from './administrator.ts';
import { applyManifests, isWholeDefinition } from './apply-manifests.ts';
import { type ManifestSource, readManifests } from './manifests.ts';
import { makeUsers, type User } from './users.ts';

/** What a server contains when its start resolves; see `ApiServerOptions`. */
export interface Preparation {
  readonly definitions: readonly ManifestSource[];
  readonly objects: readonly ManifestSource[];
  readonly users: Readonly<Record<string, { readonly groups?: readonly string[] }>>;
}

/** Applies definitions and objects, and returns the users. */
export async function prepareServer(
  { kubeconfigPath, catalogue }: RunningServer,
  config: ServerConfig,
  { definitions, objects, users }: Preparation,
): Promise<Readonly<Record<string, User>>> {
  const access = await readKubeconfig(kubeconfigPath);
  if (access === undefined) throw new Error(`${kubeconfigPath} was changed by another program`);
  const [defined, others] = await Promise.all([readManifests(definitions), readManifests(objects)]);
  const manifests = [...defined.filter(isWholeDefinition), ...others];
  using administrator = new Administrator(access);
  await applyManifests(manifests, administrator, catalogue);
  const groups = new Map(Object.entries(users).map(([name, each]) => [name, each.groups ?? []]));
  const folder = join(config.dataDir, 'users');
  return Object.fromEntries(await makeUsers({ groups, pkiFolder: pkiFolder(config), folder, access }));
}
