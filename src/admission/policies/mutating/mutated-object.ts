import type { ServedVersion } from '../../../api/contracts/admission.ts';
import type { GroupVersionKind } from '../../../api/meta/group-version.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../api/json/json.ts';
import type { PluginContext } from '../../plugin-context.ts';
import type { Schema } from '../../../schema/schema.ts';
import { schemaOfKind } from '../../../schema/kubernetes/definitions.ts';

/** An object that policies change, in the version that they see. */
export interface MutatedObject {
  readonly kind: GroupVersionKind;
  /** The kind in the version of the request. */
  readonly requested: GroupVersionKind;
  readonly schema: Schema | undefined;
  /** Undefined for kinds that the API documents in another group only, such as Scale: nothing is merged into them. */
  readonly mergeSchema: Schema | undefined;
  readonly object: Readonly<JsonObject>;
  /** The schema of a served kind. */
  readonly schemaOf: (kind: GroupVersionKind) => Schema | undefined;
}

export function mutatedObject(
  { resourceOfKind }: Pick<PluginContext, 'resourceOfKind'>,
  { kind, resource }: ServedVersion,
  { object, requested }: { readonly object: JsonValue; readonly requested: GroupVersionKind },
): MutatedObject {
  if (!isJsonObject(object)) throw new Error('there is an object to mutate');
  const own = resourceOfKind(kind)?.schema;
  const schema = own ?? schemaOfKind(kind);
  const isDocumented = own !== undefined || (kind.group === resource.group && kind.version === resource.version);
  return {
    kind,
    requested,
    schema,
    mergeSchema: isDocumented ? schema : undefined,
    object,
    schemaOf: (other) => resourceOfKind(other)?.schema,
  };
}
