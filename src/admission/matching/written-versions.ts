import type { AdmissionAttributes, VersionedObjects } from '../../api/contracts/admission.ts';
import type { GroupVersionKind } from '../../api/meta/group-version.ts';
import type { JsonValue } from '../../api/json/json.ts';
import { once } from '../../api/collections/kept-by.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { internalError } from '../../api/errors/status-errors.ts';
import type { Soon } from '../../api/scheduling/soon.ts';
import { parseDeepJson } from '../../codec/json.ts';
import { WrittenValues } from './written-values.ts';

/** The objects of a write in one version, encoded at most once. */
export interface WrittenVersion {
  readonly objects: VersionedObjects;
  /** JSON; `null` when absent. */
  readonly object: () => Soon<Uint8Array>;
  readonly oldObject: () => Soon<Uint8Array>;
}

/** What the JSON of the object says, for patches: integers are exact. */
export async function readObject({ object }: Pick<WrittenVersion, 'object'>): Promise<JsonValue> {
  return parseDeepJson(await object()).value;
}

/** The objects of a write in the versions that webhooks and mutating policies ask for. */
export class WrittenVersions {
  /** What expressions see. */
  readonly values: WrittenValues;
  readonly #attributes: AdmissionAttributes;
  readonly #byKind = new Map<string, WrittenVersion>();

  constructor(attributes: AdmissionAttributes) {
    this.#attributes = attributes;
    this.values = new WrittenValues(attributes);
  }

  async in(kind: GroupVersionKind): Promise<WrittenVersion> {
    const key = `${kind.group}/${kind.version}/${kind.kind}`;
    const known = this.#byKind.get(key);
    if (known !== undefined) return known;
    const objects = await this.#attributes.inVersion(kind);
    if (objects === undefined) throw internalError(`unable to convert to ${key}: unknown kind`);
    const version = writtenVersion(objects);
    this.#byKind.set(key, version);
    return version;
  }

  /** To be called when the object has been replaced. */
  forget(): void {
    this.#byKind.clear();
    this.values.forget();
  }
}

function writtenVersion(objects: VersionedObjects): WrittenVersion {
  const encoded = (object: KubernetesObject | undefined): Soon<Uint8Array> =>
    object === undefined ? Buffer.from('null') : objects.encode(object);
  return { objects, object: once(() => encoded(objects.object)), oldObject: once(() => encoded(objects.oldObject)) };
}
