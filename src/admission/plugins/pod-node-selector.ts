import type { AdmissionAttributes, AdmissionPlugin } from '../../api/contracts/admission.ts';
import { fieldErrorText, invalidField } from '../../api/errors/field-error.ts';
import { getOwn } from '../../api/json/json.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { labelValueErrors, qualifiedNameErrors } from '../../api/meta/names.ts';
import { forbidden, internalError } from '../../api/errors/status-errors.ts';
import type { Pod } from '../../schema/kubernetes/generated/types/core-v1.ts';
import type { PluginContext } from '../plugin-context.ts';
import { unexplained } from '../refusal.ts';
import { setInSpec } from './parts/set-in-spec.ts';

const namespaces = { group: '', version: 'v1', plural: 'namespaces' };
const annotation = 'scheduler.alpha.kubernetes.io/node-selector';
const defaultKey = 'clusterDefaultNodeSelector';

type Labels = Readonly<Record<string, string>>;

/** Pods of a namespace run on the nodes that it, or the configuration, selects: `selectors` by namespace. */
export function podNodeSelector({ stored }: Pick<PluginContext, 'stored'>, selectors: Labels): AdmissionPlugin {
  const selectorOf = async (name: string): Promise<Labels> => {
    const namespace = await stored.get(namespaces, { namespace: '', name });
    if (namespace === undefined) throw internalError(`namespace ${name} does not exist`);
    return parseLabels(annotationOf(namespace) ?? selectors[defaultKey] ?? '');
  };
  const checkSelector = async ({ namespace, object }: AdmissionAttributes, selected: Labels): Promise<void> => {
    const pod = object as Pod; // decoded by the schema of pods
    requireAgreement(pod, selected);
    const allowed = Object.entries(parseLabels(getOwn(selectors, namespace) ?? ''));
    const own = Object.entries(pod.spec?.nodeSelector ?? {});
    const isAllowed = own.every(([key, value]) => allowed.some(([name, other]) => name === key && other === value));
    if (allowed.length > 0 && !isAllowed) {
      throw refused(pod, 'pod node label selector labels conflict with its namespace whitelist');
    }
  };
  return {
    name: 'PodNodeSelector',
    operations: new Set(['CREATE']),
    async mutate(attributes) {
      if (!isPod(attributes)) return;
      const pod = attributes.object as Pod; // decoded by the schema of pods
      const selected = await selectorOf(attributes.namespace);
      requireAgreement(pod, selected);
      const merged = { ...selected, ...pod.spec?.nodeSelector };
      if (Object.keys(merged).length > 0) setInSpec(pod, { nodeSelector: merged });
      await checkSelector(attributes, selected);
    },
    async validate(attributes) {
      if (isPod(attributes)) await checkSelector(attributes, await selectorOf(attributes.namespace));
    },
  };
}

function isPod({ group, resource, subresource }: AdmissionAttributes): boolean {
  return group === '' && resource === 'pods' && subresource === '';
}

function annotationOf({ metadata }: Readonly<KubernetesObject>): string | undefined {
  return metadata.annotations?.[annotation];
}

function requireAgreement(pod: Pod, selected: Labels): void {
  const own = pod.spec?.nodeSelector ?? {};
  if (Object.entries(selected).every(([key, value]) => !Object.hasOwn(own, key) || own[key] === value)) return;
  throw refused(pod, 'pod node label selector conflicts with its namespace node label selector');
}

function refused({ metadata }: Pod, why: string): Error {
  return forbidden({ group: '', resource: 'pods' }, metadata?.name ?? '', why);
}

/** `a=b,c=d`. Throws a StatusError rather than a refusal, as the configuration is at fault. */
function parseLabels(text: string): Labels {
  if (text === '') return {};
  const pairs = text.split(',').map((pair) => {
    const parts = pair.split('=');
    if (parts.length !== 2) throw unexplained(`invalid selector: [${parts.join(' ')}]`);
    const [key = '', value = ''] = parts.map((part) => part.trim());
    refuseErrors('<nil>', key, qualifiedNameErrors(key));
    refuseErrors(`[${key}]`, value, labelValueErrors(value));
    return [key, value] as const;
  });
  return Object.fromEntries(pairs);
}

function refuseErrors(path: string, value: string, errors: readonly string[]): void {
  if (errors.length > 0) throw unexplained(fieldErrorText(invalidField(path, value, errors.join('; '))));
}
