import { goQuote } from '../../api/go/go-quote.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { ValidatingWebhook } from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { followManifests } from '../configuration/static-manifests.ts';
import type { PluginContext } from '../plugin-context.ts';
import type { WebhookServers } from '../../outgoing/webhooks/webhook-client.ts';
import { HookTable } from './hook-table.ts';

export interface StaticHooksOptions {
  /** The name of the plugin. */
  readonly plugin: string;
  readonly folder: string;
  readonly servers: WebhookServers;
}

/** The webhooks of configurations in files, which are followed from then on. Throws a PluginConfigurationError. */
export async function staticHooks(
  context: PluginContext,
  { plugin, folder, servers }: StaticHooksOptions,
): Promise<HookTable> {
  const table = new HookTable(servers, 'manifest/');
  const kinds = [plugin.replace('AdmissionWebhook', 'WebhookConfiguration')];
  const options = { plugin, folder, subject: 'webhook', kinds, checkObject: checkClients } as const;
  await followManifests(context, options, (objects) => table.setAll(objects));
  context.onStop(() => table.setAll([]));
  return table;
}

type Configuration = KubernetesObject & {
  readonly webhooks?: readonly Pick<ValidatingWebhook, 'name' | 'clientConfig'>[];
};

/** Throws an Error unless all webhooks are at URLs: services are objects, and may not be there at the start. */
function checkClients(object: KubernetesObject, path: string): void {
  const { metadata, webhooks = [] } = object as Configuration; // decoded by its schema
  for (const { name = '', clientConfig: { service, url = '' } = {} } of webhooks) {
    const where = `webhook ${goQuote(name)} in ${goQuote(metadata.name ?? '')} (file ${goQuote(path)})`;
    if (service !== undefined) {
      const instead = 'use clientConfig.url instead';
      throw new Error(`${where}: clientConfig.service is not supported for static manifests; ${instead}`);
    }
    if (url === '') throw new Error(`${where}: clientConfig.url is required for static manifests`);
  }
}
