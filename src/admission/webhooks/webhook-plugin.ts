import type { AdmissionAttributes, AdmissionPlugin, Invocation } from '../../api/contracts/admission.ts';
import { FollowedIndex } from '../../api/client/followed-index.ts';
import type { Soon } from '../../api/scheduling/soon.ts';
import { webhookCertificates } from '../../outgoing/certificate-counts.ts';
import { ConditionMetrics } from '../matching/condition-metrics.ts';
import { isReview } from '../matching/review-resources.ts';
import { noLog } from '../../api/contracts/log.ts';
import type { PluginContext } from '../plugin-context.ts';
import type { Dispatch, DispatchContext } from './dispatch.ts';
import { HookMetrics } from './hook-metrics.ts';
import type { HookCall } from './hook.ts';
import { HookTable } from './hook-table.ts';
import type { WebhookConfiguration } from './webhook-configuration.ts';

interface WebhookPluginOptions {
  readonly name: string;
  /** The resource of the configurations, in `admissionregistration.k8s.io`. */
  readonly resource: string;
  readonly metricsType: 'admit' | 'validating';
  /** Loaded for the first write that a webhook matches. */
  readonly load: (context: DispatchContext) => Promise<Dispatch>;
}

const group = 'admissionregistration.k8s.io';
const once: Invocation = { isAgain: false, runAgain: () => undefined };

/** Configuration of admission itself must stay changeable, whatever webhooks say. */
const configurationKinds: ReadonlySet<string> = new Set([
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
]);

/** A plugin that calls webhooks. Their configurations are read with the first write, and followed from then on. */
async function webhookPlugin(context: PluginContext, options: WebhookPluginOptions): Promise<AdmissionPlugin> {
  const { stored, authorizer, onError, log = noLog, reader, featureGates, services, egress } = context;
  const { users, manifestFolder } = await configurationOf(options.name, context);
  const servers = { services, users, egress, log, certificates: webhookCertificates(context.metric) };
  const ofFiles =
    manifestFolder === ''
      ? undefined
      : await (
          await import('./static-hooks.ts')
        ).staticHooks(context, { plugin: options.name, folder: manifestFolder, servers });
  const metrics = new HookMetrics(options.metricsType, context);
  const conditionMetrics = new ConditionMetrics({ kind: 'webhook', type: options.metricsType }, context);
  let loaded: Promise<Dispatch> | undefined;
  const dispatch = async (...args: Parameters<Dispatch['run']>): Promise<void> => {
    loaded ??= options.load({ stored, authorizer, metrics, conditionMetrics, log });
    await (await loaded).run(...args);
  };
  const index = new FollowedIndex<HookTable>({
    client: reader,
    onError,
    make: () => new HookTable(servers),
    readers: [
      {
        resource: { group, version: 'v1', resource: options.resource },
        set: (table, configuration) => table.set(configuration),
        remove: (table, { name }) => table.remove(name),
      },
    ],
  });
  context.onStop(() => index[Symbol.dispose]());
  const sparesReviews = featureGates.get('ExcludeAdmissionWebhookVirtualResources') === true;
  const askIn = (table: HookTable, attributes: AdmissionAttributes, invocation: Invocation): Soon<void> => {
    if (table.isEmpty && ofFiles === undefined) return undefined;
    const calls = callsIn({ stored: table, ofFiles }, attributes);
    if (calls.length === 0 || (sparesReviews && isReview(attributes))) return undefined;
    return dispatch(calls, attributes, invocation);
  };
  const ask = (attributes: AdmissionAttributes, invocation: Invocation): Soon<void> =>
    index.index === undefined
      ? index.ready().then((table) => askIn(table, attributes, invocation))
      : askIn(index.index, attributes, invocation);
  return {
    name: options.name,
    operations: new Set(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']),
    ...(options.metricsType === 'admit' ? { mutate: ask } : { validate: (attributes) => ask(attributes, once) }),
  };
}

interface Tables {
  readonly stored: HookTable;
  /** Webhooks from files, which are called first, and for the configuration of admission too. */
  readonly ofFiles: HookTable | undefined;
}

function callsIn({ stored, ofFiles }: Tables, attributes: AdmissionAttributes): readonly HookCall[] {
  const isExempt = attributes.group === group && configurationKinds.has(attributes.kind);
  const calls = stored.isEmpty || isExempt ? [] : stored.callsFor(attributes);
  if (ofFiles === undefined) return calls;
  const before = ofFiles.size;
  return [...ofFiles.callsFor(attributes), ...calls.map((call) => ({ ...call, index: call.index + before }))];
}

async function configurationOf(name: string, context: PluginContext): Promise<WebhookConfiguration> {
  const configuration = await context.configurationOf(name);
  if (configuration.text === undefined) return { users: undefined, manifestFolder: '' };
  const { readWebhookConfiguration } = await import('./webhook-configuration.ts');
  return await readWebhookConfiguration(configuration, context);
}

/** The admission plugin MutatingAdmissionWebhook. */
export function mutatingAdmissionWebhook(context: PluginContext): Promise<AdmissionPlugin> {
  return webhookPlugin(context, {
    name: 'MutatingAdmissionWebhook',
    resource: 'mutatingwebhookconfigurations',
    metricsType: 'admit',
    load: async (parts) => new (await import('./mutating-dispatch.ts')).MutatingDispatch(parts),
  });
}

/** The admission plugin ValidatingAdmissionWebhook. */
export function validatingAdmissionWebhook(context: PluginContext): Promise<AdmissionPlugin> {
  return webhookPlugin(context, {
    name: 'ValidatingAdmissionWebhook',
    resource: 'validatingwebhookconfigurations',
    metricsType: 'validating',
    load: async (parts) => new (await import('./validating-dispatch.ts')).ValidatingDispatch(parts),
  });
}
