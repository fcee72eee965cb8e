import { isAbsolute } from 'node:path';
import { fieldErrorText, invalidField } from '../../api/field-error.ts';
import { KubeconfigError } from '../../outgoing/kubeconfig.ts';
import { readWebhookUsers, type WebhookUsers } from '../../outgoing/webhook-users.ts';
import { field, struct, text } from '../../schema/plain-schema.ts';
import {
  type PluginConfiguration,
  PluginConfigurationError,
  readPluginDocument,
} from '../configuration/plugin-document.ts';
import type { PluginContext } from '../plugin-context.ts';

const form = {
  kind: 'WebhookAdmissionConfiguration',
  versions: ['apiserver.config.k8s.io/v1'],
  schema: struct('WebhookAdmission', [
    ...[
      field('kind', text),
      field('apiVersion', text),
      field('kubeConfigFile', text),
      field('staticManifestsDir', text),
    ],
  ]),
};

/** How this server identifies itself to webhooks, by the configuration of a plugin. Throws a PluginConfigurationError. */
export async function usersOfConfiguration(
  configuration: PluginConfiguration,
  context: Pick<PluginContext, 'readFile' | 'clock'>,
): Promise<WebhookUsers | undefined> {
  const document = await readPluginDocument(configuration, form);
  const { kubeConfigFile = '', staticManifestsDir = '' } = (document ?? {}) as Document; // read by its schema
  const refuse = (why: string): PluginConfigurationError => new PluginConfigurationError(configuration.name, why);
  if (kubeConfigFile !== '' && !isAbsolute(kubeConfigFile)) {
    throw refuse(fieldErrorText(invalidField('kubeConfigFile', kubeConfigFile, 'must be an absolute file path')));
  }
  if (staticManifestsDir !== '') throw refuse('staticManifestsDir is not supported');
  if (kubeConfigFile === '') return undefined;
  try {
    return await readWebhookUsers(kubeConfigFile, context);
  } catch (error) {
    if (error instanceof KubeconfigError) throw refuse(error.message);
    throw refuse(`stat ${kubeConfigFile}: no such file or directory`);
  }
}

interface Document {
  readonly kubeConfigFile?: string;
  readonly staticManifestsDir?: string;
}
