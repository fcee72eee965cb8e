import { isAbsolute } from 'node:path';
import { fieldErrorText, invalidField } from '../../api/errors/field-error.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { KubeconfigError } from '../../outgoing/kubeconfig/kubeconfig.ts';
import { readWebhookUsers, type WebhookUsers } from '../../outgoing/webhooks/webhook-users.ts';
import { field, struct, text } from '../../schema/plain-schema.ts';
import {
  type PluginConfiguration,
  PluginConfigurationError,
  readPluginDocument,
} from '../configuration/plugin-document.ts';
import { checkManifestFolder, manifestsGate } from '../configuration/static-manifests.ts';
import type { PluginContext } from '../plugin-context.ts';

const form = {
  kind: 'WebhookAdmissionConfiguration',
  versions: ['apiserver.config.k8s.io/v1'],
  schema: struct('WebhookAdmission', [
    field('kind', text),
    field('apiVersion', text),
    field('kubeConfigFile', text),
    field('staticManifestsDir', text),
  ]),
};

/** What a webhook plugin is configured with. */
export interface WebhookConfiguration {
  /** How this server identifies itself to webhooks. */
  readonly users: WebhookUsers | undefined;
  /** The folder of configurations in files; empty: none. */
  readonly manifestFolder: string;
}

/** Throws a PluginConfigurationError. */
export async function readWebhookConfiguration(
  configuration: PluginConfiguration,
  context: Pick<PluginContext, 'readFile' | 'clock' | 'featureGates'>,
): Promise<WebhookConfiguration> {
  const document = await readPluginDocument(configuration, form);
  const { kubeConfigFile = '', staticManifestsDir: manifestFolder = '' } = (document ?? {}) as Document; // by its schema
  const { name } = configuration;
  const refuse = (why: string): PluginConfigurationError => new PluginConfigurationError(name, why);
  if (kubeConfigFile !== '' && !isAbsolute(kubeConfigFile)) {
    throw refuse(fieldErrorText(invalidField('kubeConfigFile', kubeConfigFile, 'must be an absolute file path')));
  }
  if (manifestFolder !== '') {
    await checkManifestFolder(name, manifestFolder);
    checkGate(name, manifestFolder, context);
  }
  if (kubeConfigFile === '') return { users: undefined, manifestFolder };
  try {
    return { users: await readWebhookUsers(kubeConfigFile, context), manifestFolder };
  } catch (error) {
    if (error instanceof KubeconfigError) throw refuse(error.message);
    throw refuse(`stat ${kubeConfigFile}: no such file or directory`);
  }
}

function checkGate(plugin: string, folder: string, { featureGates }: Pick<PluginContext, 'featureGates'>): void {
  if (featureGates.get(manifestsGate) === true) return;
  const what = `static webhook manifests dir ${goQuote(folder)}`;
  throw new PluginConfigurationError(
    plugin,
    `${what} configured but ${manifestsGate} feature gate is not enabled`,
    true,
  );
}

interface Document {
  readonly kubeConfigFile?: string;
  readonly staticManifestsDir?: string;
}
