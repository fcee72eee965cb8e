import { formatGroupVersionKind, type GroupVersionKind } from '../../api/meta/group-version.ts';
import type { JsonObject } from '../../api/json/json.ts';
import { keptBy } from '../../api/collections/kept-by.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { internalError } from '../../api/errors/status-errors.ts';
import { wireForm } from '../../schema/wire-form.ts';
import type { PluginContext } from '../plugin-context.ts';

/** Stored objects as expressions see them: their wire form, created once per object and version. */
export class WireValues {
  readonly #context: Pick<PluginContext, 'resourceOfKind' | 'inVersion'>;
  readonly #kept = keptBy((): Map<string, JsonObject> => new Map());

  constructor(context: Pick<PluginContext, 'resourceOfKind' | 'inVersion'>) {
    this.#context = context;
  }

  /** Throws a StatusError if the object cannot be converted, or if nothing serves the kind. */
  async of(object: Readonly<KubernetesObject>, kind: GroupVersionKind): Promise<JsonObject> {
    const kept = this.#kept(object);
    const key = formatGroupVersionKind(kind);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const resource = this.#context.resourceOfKind(kind);
    const converted = await this.#context.inVersion(kind, object);
    if (resource === undefined || converted === undefined) {
      throw internalError(`unable to convert to ${key}: unknown kind`);
    }
    const value = wireForm(resource.schema, converted);
    kept.set(key, value);
    return value;
  }
}
