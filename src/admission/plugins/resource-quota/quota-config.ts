import { type FieldError, requiredField } from '../../../api/errors/field-error.ts';
import type { ScopedResourceSelectorRequirement } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { field, list, struct, text } from '../../../schema/plain-schema.ts';
import { type PluginConfiguration, readPluginDocument, refuseFields } from '../../configuration/plugin-document.ts';

/** What nobody may use without a quota for it. */
export interface LimitedResource {
  readonly apiGroup: string;
  readonly resource: string;
  /** Parts of the names of amounts. */
  readonly matchContains: readonly string[];
  readonly matchScopes: readonly ScopedResourceSelectorRequirement[];
}

const requirement = struct('ScopedResourceSelectorRequirement', [
  field('scopeName', text),
  field('operator', text),
  field('values', list(text)),
]);
const limitedResource = struct('LimitedResource', [
  field('apiGroup', text),
  field('resource', text),
  field('matchContains', list(text)),
  field('matchScopes', list(requirement)),
]);
const fields = [field('kind', text), field('apiVersion', text), field('limitedResources', list(limitedResource))];
const schema = struct('Configuration', fields);
const group = 'resourcequota.admission.k8s.io';
const forms = [
  { kind: 'ResourceQuotaConfiguration', versions: ['apiserver.config.k8s.io/v1'], schema },
  { kind: 'Configuration', versions: [`${group}/v1beta1`, `${group}/v1alpha1`], schema },
];

/** What the configuration limits. Throws a PluginConfigurationError. */
export async function readQuotaConfig(configuration: PluginConfiguration): Promise<readonly LimitedResource[]> {
  const isOld = configuration.text?.includes(group) === true;
  const form = forms.find(({ kind }) => (kind === 'Configuration') === isOld);
  const document = form === undefined ? undefined : await readPluginDocument(configuration, form);
  const { limitedResources = [] } = (document ?? {}) as {
    readonly limitedResources?: readonly Partial<LimitedResource>[];
  }; // read by its schema
  const complete = limitedResources.map(({ apiGroup = '', resource = '', matchContains = [], matchScopes = [] }) => ({
    apiGroup,
    resource,
    matchContains,
    matchScopes,
  }));
  refuseFields(configuration, complete.flatMap(resourceErrors));
  return complete;
}

function resourceErrors({ resource }: LimitedResource, index: number): readonly FieldError[] {
  return resource === '' ? [requiredField(`limitedResources[${index}].resource`)] : [];
}
