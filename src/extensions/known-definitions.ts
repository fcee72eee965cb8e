import type { Definition } from './definition.ts';

/** The stored definitions by name, and by group. */
export class KnownDefinitions {
  readonly #byName = new Map<string, Definition>();
  readonly #groups = new Map<string, Map<string, Definition>>();

  get(name: string): Definition | undefined {
    return this.#byName.get(name);
  }

  names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  inGroup(group: string): ReadonlyMap<string, Definition> {
    return this.#groups.get(group) ?? new Map();
  }

  set(name: string, known: Definition): void {
    const definition = outlineOf(known);
    this.#byName.set(name, definition);
    const { group = '' } = definition.spec;
    const others = this.#groups.get(group);
    if (others === undefined) this.#groups.set(group, new Map([[name, definition]]));
    else others.set(name, definition);
  }

  delete(name: string): void {
    const { group = '' } = this.#byName.get(name)?.spec ?? {};
    this.#byName.delete(name);
    const others = this.#groups.get(group);
    others?.delete(name);
    if (others?.size === 0) this.#groups.delete(group);
  }
}

/** Without what its conditions do not depend on: writes of the status leave the schemas and owners as they are. */
function outlineOf(definition: Definition): Definition {
  const { managedFields: _, ...metadata } = definition.metadata;
  const { spec } = definition;
  // Its status says what is not structural in it.
  if (spec.preserveUnknownFields === true) return { ...definition, metadata };
  const versions = (spec.versions ?? []).map((version) => ({ ...version }));
  for (const version of versions) delete version.schema;
  return { ...definition, metadata, spec: { ...spec, versions } };
}
