import type { AdmissionPlugin } from '../api/contracts/admission.ts';
import type { PluginContext } from './plugin-context.ts';
import { podSecurity } from './plugins/pod-security/pod-security.ts';

// Plugins that read a configuration, or that are large: each is loaded when it is asked for.

export async function loadNodeRestriction(context: PluginContext): Promise<AdmissionPlugin> {
  const { nodeRestriction } = await import('./plugins/node-restriction/node-restriction.ts');
  return nodeRestriction(context);
}

export async function loadServiceAccount(context: PluginContext): Promise<AdmissionPlugin> {
  const { serviceAccount } = await import('./plugins/service-account/service-account.ts');
  return serviceAccount(context);
}

export async function loadResourceQuota(context: PluginContext): Promise<AdmissionPlugin> {
  const { resourceQuota } = await import('./plugins/resource-quota/resource-quota.ts');
  const configuration = await context.configurationOf('ResourceQuota');
  if (configuration.text === undefined) return resourceQuota(context, []);
  const { readQuotaConfig } = await import('./plugins/resource-quota/quota-config.ts');
  return resourceQuota(context, await readQuotaConfig(configuration));
}

export async function loadEventRateLimit(context: PluginContext): Promise<AdmissionPlugin> {
  const [{ eventRateLimit }, { readEventLimits }] = await Promise.all([
    import('./plugins/event-rate-limit/event-rate-limit.ts'),
    import('./plugins/event-rate-limit/event-limits.ts'),
  ]);
  return eventRateLimit(context, await readEventLimits(await context.configurationOf('EventRateLimit')));
}

export async function makePodSecurity(context: PluginContext): Promise<AdmissionPlugin> {
  const configuration = await context.configurationOf('PodSecurity');
  if (configuration.text === undefined) return podSecurity(context);
  const { readPodSecuritySettings } = await import('./plugins/pod-security/settings-file.ts');
  return podSecurity(context, await readPodSecuritySettings(configuration));
}

export async function loadPodNodeSelector(context: PluginContext): Promise<AdmissionPlugin> {
  const [{ podNodeSelector }, { readNodeSelectors }] = await Promise.all([
    import('./plugins/pod-node-selector.ts'),
    import('./configuration/node-selectors.ts'),
  ]);
  return podNodeSelector(context, readNodeSelectors(await context.configurationOf('PodNodeSelector')));
}

export async function loadPodTolerationRestriction(context: PluginContext): Promise<AdmissionPlugin> {
  const [{ podTolerationRestriction }, { readClusterTolerations }] = await Promise.all([
    import('./plugins/pod-toleration-restriction.ts'),
    import('./configuration/tolerations.ts'),
  ]);
  const configuration = await context.configurationOf('PodTolerationRestriction');
  return podTolerationRestriction(context, await readClusterTolerations(configuration));
}

export async function loadImagePolicyWebhook(context: PluginContext): Promise<AdmissionPlugin> {
  const [{ imagePolicyWebhook }, { readImagePolicyConfig }] = await Promise.all([
    import('./plugins/image-policy/image-policy-webhook.ts'),
    import('./plugins/image-policy/image-policy-config.ts'),
  ]);
  return imagePolicyWebhook(context, readImagePolicyConfig(await context.configurationOf('ImagePolicyWebhook')));
}
