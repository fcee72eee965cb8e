import type { JsonObject } from '../api/json.ts';
import { cloneObject, type KubernetesObject } from '../api/object.ts';
import { keepNotes } from '../api/written-notes.ts';
import type { Converter } from '../registry/conversion.ts';
import type { WriteContext } from '../registry/strategy.ts';
import type { CustomKind, CustomVersion } from './custom-kind.ts';
import { readyForRules } from './instance-rules.ts';

/** An object in the version it is validated in, with that version's schema. */
export interface View extends CustomVersion {
  readonly object: JsonObject;
}

/**
 * Custom resources are validated in the version of the request, although the registry prepares them in the storage
 * version.
 */
export class JudgedObjects {
  readonly #kind: CustomKind;
  readonly #stored: CustomVersion;
  readonly #converter: Converter;
  /** Results of the conversion webhook. */
  readonly #converted = new WeakMap<Readonly<KubernetesObject>, KubernetesObject>();

  constructor(kind: CustomKind, stored: CustomVersion, converter: Converter) {
    this.#kind = kind;
    this.#stored = stored;
    this.#converter = converter;
  }

  /** Converts the new and the old object up front where conversion is asynchronous. */
  async prepare(
    objects: readonly Readonly<KubernetesObject>[],
    { requestVersion }: Pick<WriteContext, 'requestVersion'>,
  ): Promise<void> {
    if (!this.#converter.waits || requestVersion === this.#stored.name) return;
    const { group, kind } = this.#kind;
    const target = { group, version: requestVersion, kind };
    const converted = await this.#converter.convert(objects.map(cloneObject), target);
    const [written, old] = converted;
    if (written !== undefined && this.versionOf(requestVersion).definition.subresources?.status !== undefined) {
      if (old?.['status'] === undefined) delete written['status'];
      else written['status'] = old['status'];
    }
    for (const [index, object] of objects.entries()) {
      const seen = converted[index];
      if (seen !== undefined) this.#converted.set(object, seen);
    }
  }

  /** Both as the webhook has converted them to the version of the request; undefined if it has not. */
  seenAs(
    object: Readonly<KubernetesObject>,
    old: Readonly<KubernetesObject>,
  ): readonly [KubernetesObject, KubernetesObject] | undefined {
    const [written, before] = [this.#converted.get(object), this.#converted.get(old)];
    return written === undefined || before === undefined ? undefined : [written, before];
  }

  /** Await before validating. */
  readyForRules({ requestVersion }: WriteContext): Promise<void> | undefined {
    const inRequest = readyForRules(this.versionOf(requestVersion).schema, this.#kind.times);
    const stored = this.#converter.waits ? readyForRules(this.#stored.schema, this.#kind.times) : undefined;
    return inRequest === undefined ? stored : inRequest.then(() => stored);
  }

  /** Where conversion is asynchronous, an object not converted up front is validated in the storage version. */
  viewOf(object: Readonly<KubernetesObject>, { requestVersion }: WriteContext): View {
    const seen = this.#converted.get(object);
    const isForeign = this.#converter.waits && seen === undefined;
    const { name, definition, schema, defaults } = this.versionOf(isForeign ? this.#stored.name : requestVersion);
    const given = seen ?? object;
    const apiVersion = `${this.#kind.group}/${name}`;
    const view = keepNotes(given, { ...given, metadata: object.metadata, apiVersion });
    // Objects are JSON-shaped.
    return { name, definition, schema, defaults, object: view as unknown as JsonObject };
  }

  /** A version that no longer exists falls back to the storage version. */
  versionOf(name: string): CustomVersion {
    return this.#kind.versions.find((version) => version.name === name) ?? this.#stored;
  }
}
