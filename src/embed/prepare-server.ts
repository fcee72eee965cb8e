import { readKubeconfig, type ServerAccess } from '../authentication/pki/kubeconfig.ts';
import type { RunningServer, ServerConfig } from '../server/config.ts';
import { pkiFolder } from '../server/listening/serving.ts';
import { Administrator } from './administrator.ts';
import { applyManifests, isWholeDefinition } from './apply-manifests.ts';
import { withConversions } from './conversion-functions.ts';
import { type ManifestSource, readManifests } from './manifests.ts';
import { issueUsers, type UserCertificates } from './users.ts';
import type { WebhookFunctions } from './webhook-functions.ts';

/** What a server contains when its start resolves; see `ApiServerOptions`. */
export interface Preparation {
  readonly definitions: readonly ManifestSource[];
  readonly objects: readonly ManifestSource[];
  readonly users: Readonly<Record<string, { readonly groups?: readonly string[] }>>;
  readonly webhooks: WebhookFunctions | undefined;
}

/** Applies definitions and objects, registers webhooks, and returns the users. */
export async function prepareServer(
  { kubeconfigPath, catalogue }: RunningServer,
  config: ServerConfig,
  { definitions, objects, users, webhooks }: Preparation,
): Promise<UserCertificates> {
  const access = await accessTo(kubeconfigPath);
  const [defined, others] = await Promise.all([readManifests(definitions), readManifests(objects)]);
  const given = [...defined.filter(isWholeDefinition), ...others];
  const manifests =
    webhooks === undefined ? given : withConversions(given, webhooks.conversions, webhooks.conversionClient);
  using administrator = new Administrator(access);
  await applyManifests(manifests, administrator, catalogue);
  await webhooks?.register(administrator);
  const groups = new Map(Object.entries(users).map(([name, each]) => [name, each.groups ?? []]));
  return issueUsers(groups, pkiFolder(config));
}

/** Takes away what must not outlive the process. */
export async function leaveServer({ kubeconfigPath }: RunningServer, webhooks: WebhookFunctions): Promise<void> {
  using administrator = new Administrator(await accessTo(kubeconfigPath));
  await webhooks.unregister(administrator);
}

export async function accessTo(kubeconfigPath: string): Promise<ServerAccess> {
  const access = await readKubeconfig(kubeconfigPath);
  if (access === undefined) throw new Error(`${kubeconfigPath} was changed by another program`);
  return access;
}
