import type { Definition, KeptDefinition, SchemaTexts } from './definition.ts';
import { UsedNames } from './accepted-names.ts';

interface Group {
  readonly definitions: Map<string, Definition>;
  readonly names: UsedNames;
}

/** The stored definitions by name, and by group. */
export class KnownDefinitions {
  readonly #byName = new Map<string, KeptDefinition>();
  readonly #groups = new Map<string, Group>();

  get(name: string): Definition | undefined {
    return this.#byName.get(name)?.definition;
  }

  kept(name: string): KeptDefinition | undefined {
    return this.#byName.get(name);
  }

  inGroup(group: string): ReadonlyMap<string, Definition> {
    return this.#groups.get(group)?.definitions ?? new Map();
  }

  /** The names that are accepted for the definitions of a group. */
  usedNames(group: string): UsedNames {
    return this.#groups.get(group)?.names ?? new UsedNames();
  }

  set(name: string, kept: KeptDefinition): void {
    const before = this.get(name);
    this.#byName.set(name, kept);
    const { definition } = kept;
    // Which is part of the name.
    const { group = '' } = definition.spec;
    let others = this.#groups.get(group);
    if (others === undefined) this.#groups.set(group, (others = { definitions: new Map(), names: new UsedNames() }));
    others.definitions.set(name, definition);
    if (before !== undefined) others.names.remove(before);
    others.names.add(definition);
  }

  delete(name: string): void {
    const definition = this.get(name);
    if (definition === undefined) return;
    const { group = '' } = definition.spec;
    this.#byName.delete(name);
    const others = this.#groups.get(group);
    others?.definitions.delete(name);
    others?.names.remove(definition);
    if (others?.definitions.size === 0) this.#groups.delete(group);
  }
}

/** What is kept of a definition as it was read, with the schemas of `known` if that has the same specification. */
export function keptDefinition(definition: Definition, known?: KeptDefinition): KeptDefinition {
  return { definition: outlineOf(definition), schemas: known?.schemas ?? schemasOf(definition) };
}

function schemasOf({ spec: { versions = [] } }: Definition): SchemaTexts {
  const texts = new Map<string, string>();
  for (const { name = '', schema } of versions) {
    const { openAPIV3Schema } = schema ?? {};
    if (openAPIV3Schema !== undefined) texts.set(name, JSON.stringify(openAPIV3Schema));
  }
  return texts;
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
