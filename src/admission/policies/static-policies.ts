import { fieldErrorText, forbiddenField } from '../../api/errors/field-error.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type * as admission from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { field, struct, text } from '../../schema/plain-schema.ts';
import {
  type PluginConfiguration,
  PluginConfigurationError,
  readPluginDocument,
} from '../configuration/plugin-document.ts';
import {
  checkManifestFolder,
  followManifests,
  isStaticName,
  manifestsGate,
} from '../configuration/static-manifests.ts';
import type { PluginContext } from '../plugin-context.ts';
import { PolicyTable } from './policy-table.ts';

type Policy = KubernetesObject & { readonly spec?: Pick<admission.ValidatingAdmissionPolicySpec, 'paramKind'> };
type Binding = KubernetesObject & {
  readonly spec?: Pick<admission.ValidatingAdmissionPolicyBindingSpec, 'policyName' | 'paramRef'>;
};

/** The policies of files; undefined without a folder. They are followed from then on. */
export async function staticPolicies<Compiled>(
  context: PluginContext,
  name: string,
  compile: (policy: KubernetesObject) => Promise<Compiled>,
): Promise<{ readonly table: PolicyTable<Compiled> } | undefined> {
  const configuration = await context.configurationOf(name);
  const folder = configuration.text === undefined ? '' : await folderOf(configuration, context);
  if (folder === '') return undefined;
  const kinds = [name, `${name}Binding`];
  const options = { plugin: name, folder, subject: 'policy', kinds, check: checkTogether } as const;
  const current = { table: new PolicyTable(compile) };
  await followManifests(context, options, (objects) => {
    const table = new PolicyTable(compile);
    for (const object of objects) {
      if (object.kind === name) table.setPolicy(object);
      else table.setBinding(object);
    }
    current.table = table;
  });
  return current;
}

/** Empty without one. Throws a PluginConfigurationError. */
async function folderOf(
  configuration: PluginConfiguration,
  { featureGates }: Pick<PluginContext, 'featureGates'>,
): Promise<string> {
  const { name } = configuration;
  const kind = `${name}Configuration`;
  const schema = struct(kind, [field('kind', text), field('apiVersion', text), field('staticManifestsDir', text)]);
  const document = await readPluginDocument(configuration, { kind, versions: ['apiserver.config.k8s.io/v1'], schema });
  const { staticManifestsDir: folder = '' } = (document ?? {}) as { readonly staticManifestsDir?: string }; // by its schema
  if (folder === '') return '';
  if (featureGates.get(manifestsGate) !== true) {
    const why = `staticManifestsDir requires the ${manifestsGate} feature gate to be enabled`;
    throw new PluginConfigurationError(name, fieldErrorText(forbiddenField('staticManifestsDir', why)));
  }
  await checkManifestFolder(name, folder);
  return folder;
}

/** Throws an Error for what files must not have. */
function checkTogether(objects: readonly KubernetesObject[]): void {
  const isBinding = ({ kind }: KubernetesObject): boolean => kind.endsWith('Binding');
  const policies = objects.filter((each) => !isBinding(each)) as readonly Policy[]; // decoded by their schemas
  const bindings = objects.filter(isBinding) as readonly Binding[];
  const names = new Set(policies.map(({ metadata }) => metadata.name ?? ''));
  for (const { kind, metadata, spec } of policies) {
    if (spec?.paramKind === undefined) continue;
    const whose = `${kind} ${goQuote(metadata.name ?? '')}`;
    throw new Error(`${whose}: spec.paramKind is not supported for static manifests`);
  }
  for (const { metadata, spec } of bindings) checkBinding(metadata.name ?? '', spec, names);
}

function checkBinding(name: string, spec: Binding['spec'], policies: ReadonlySet<string>): void {
  const { policyName = '', paramRef } = spec ?? {};
  const whose = `binding ${goQuote(name)}`;
  if (policyName === '') throw new Error(`${whose} must reference a policy (spec.policyName)`);
  if (!isStaticName(policyName)) {
    throw new Error(`${whose}: spec.policyName ${goQuote(policyName)} must end with ".static.k8s.io"`);
  }
  if (paramRef !== undefined) throw new Error(`${whose}: spec.paramRef is not supported for static manifests`);
  if (policies.has(policyName)) return;
  throw new Error(`${whose} references policy ${goQuote(policyName)} which does not exist in the manifest directory`);
}
