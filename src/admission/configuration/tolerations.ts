import type { JsonValue } from '../../api/json/json.ts';
import { parseJson } from '../../codec/json.ts';
import { JsonSyntaxError } from '../../codec/json-syntax.ts';
import { decodePlain } from '../../schema/decode.ts';
import { DecodeError } from '../../schema/decode-errors.ts';
import type { Toleration } from '../../schema/kubernetes/generated/types/core-v1.ts';
import { field, int64, list, struct, text } from '../../schema/plain-schema.ts';
import { unexplained } from '../refusal.ts';
import { type PluginConfiguration, readPluginDocument } from './plugin-document.ts';

const toleration = struct('Toleration', [
  field('key', text),
  field('operator', text),
  field('value', text),
  field('effect', text),
  field('tolerationSeconds', int64, true),
]);
const tolerationList = list(toleration);

/** Parses the JSON of an annotation. Throws a StatusError of code 500, as the reference does. */
export function readTolerations(json: string): readonly Toleration[] {
  try {
    const { value } = parseJson(Buffer.from(json));
    if (value === null) return [];
    if (!Array.isArray(value)) {
      throw unexplained(`json: cannot unmarshal ${goKind(value)} into Go value of type ${tolerationList.goType}`);
    }
    // Each for itself, as errors name fields from there.
    return value.map((item: JsonValue) => decodePlain(toleration, item ?? {}).object as Toleration); // read by its schema
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof DecodeError) throw unexplained(error.message);
    throw error;
  }
}

/** What Go calls a value of JSON. */
function goKind(value: JsonValue): string {
  return typeof value === 'boolean' ? 'bool' : typeof value === 'bigint' ? 'number' : typeof value;
}

const fields = [field('default', tolerationList), field('whitelist', tolerationList)];
const form = {
  kind: 'Configuration',
  versions: ['podtolerationrestriction.admission.k8s.io/v1alpha1'],
  schema: struct('Configuration', [field('kind', text), field('apiVersion', text), ...fields]),
  isLenient: true,
};

/** What counts where a namespace says nothing. */
export interface ClusterTolerations {
  readonly default: readonly Toleration[];
  readonly whitelist: readonly Toleration[];
}

/** Throws a PluginConfigurationError. */
export async function readClusterTolerations(configuration: PluginConfiguration): Promise<ClusterTolerations> {
  const document = await readPluginDocument(configuration, form);
  return { default: [], whitelist: [], ...(document as Partial<ClusterTolerations> | undefined) }; // read by its schema
}
