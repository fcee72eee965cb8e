import { type FieldError, invalidField, notSupportedField } from '../../../api/errors/field-error.ts';
import { field, int32, list, struct, text } from '../../../schema/plain-schema.ts';
import { type PluginConfiguration, readPluginDocument, refuseFields } from '../../configuration/plugin-document.ts';

/** How many events of a sort are taken. */
export interface EventLimit {
  /** Server, Namespace, User or SourceAndObject. */
  readonly type: string;
  readonly qps: number;
  readonly burst: number;
  /** How many are counted at a time; 0: as many as usual. */
  readonly cacheSize: number;
}

const types = ['Server', 'Namespace', 'User', 'SourceAndObject'];
const limit = struct('Limit', [
  field('type', text),
  field('qps', int32),
  field('burst', int32),
  field('cacheSize', int32),
]);
const form = {
  kind: 'Configuration',
  versions: ['eventratelimit.admission.k8s.io/v1alpha1'],
  schema: struct('Configuration', [field('kind', text), field('apiVersion', text), field('limits', list(limit))]),
  isLenient: true,
};

/** The limits that the configuration sets. Throws a PluginConfigurationError. */
export async function readEventLimits(configuration: PluginConfiguration): Promise<readonly EventLimit[]> {
  const document = (await readPluginDocument(configuration, form)) ?? {};
  const { limits = [] } = document as { readonly limits?: readonly Partial<EventLimit>[] }; // read by its schema
  const complete = limits.map(({ type = '', qps = 0, burst = 0, cacheSize = 0 }) => ({ type, qps, burst, cacheSize }));
  refuseFields(configuration, limitErrors(complete));
  return complete;
}

function limitErrors(limits: readonly EventLimit[]): readonly FieldError[] {
  if (limits.length === 0) return [invalidField('limits', null, 'must not be empty')];
  return limits.flatMap(({ type, qps, burst, cacheSize }, index) => {
    const path = `limits[${index}]`;
    return [
      ...(types.includes(type) ? [] : [notSupportedField(`${path}.type`, type, types)]),
      ...(burst > 0 ? [] : [invalidField(`${path}.burst`, burst, 'must be positive')]),
      ...(qps > 0 ? [] : [invalidField(`${path}.qps`, qps, 'must be positive')]),
      ...(type === 'Server' || cacheSize >= 0
        ? []
        : [invalidField(`${path}.cacheSize`, cacheSize, 'must not be negative')]),
    ];
  });
}
