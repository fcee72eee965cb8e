import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** Written descriptions of the types, fields and parameters of the release. */
export interface Documentation {
  /** By definition, such as `io.k8s.api.core.v1.Pod`. */
  type(definition: string): string | undefined;
  field(definition: string, field: string): string | undefined;
  /** By topic, which is the name of most parameters. */
  parameter(topic: string): string | undefined;
}

/** Descriptions by class of a client (`V1Pod`) and field; the field '' is the class itself. */
export type ClassTexts = { readonly [name: string]: { readonly [field: string]: string } };

/** What a build makes of a client. */
export interface WrittenTexts {
  readonly types?: ClassTexts;
  readonly parameters?: { readonly [topic: string]: string };
}

/**
 * A build puts the texts beside its entries (scripts/bundle.mjs), of which this may be a chunk in a folder; from source
 * there are none.
 */
const places = ['./descriptions.json', '../descriptions.json'];

/** Read lazily, to keep starts fast. */
export async function loadDocumentation(base: string = import.meta.url): Promise<Documentation> {
  const found = places.map((place) => new URL(place, base)).find((url) => existsSync(url));
  // Written by the build.
  const texts = found === undefined ? {} : (JSON.parse(await readFile(found, 'utf8')) as WrittenTexts);
  return documentationOf(texts);
}

export function documentationOf({ types = {}, parameters = {} }: WrittenTexts): Documentation {
  const text = (definition: string, field: string): string | undefined => {
    for (const name of classNames(definition)) {
      const fields = Object.hasOwn(types, name) ? types[name] : undefined;
      if (fields !== undefined && Object.hasOwn(fields, field)) return fields[field];
    }
    return undefined;
  };
  return {
    type: (definition) => text(definition, ''),
    field: text,
    parameter: (topic) => (Object.hasOwn(parameters, topic) ? parameters[topic] : undefined),
  };
}

/** Versions that a kind may have had in the clients' releases. */
const otherVersions = ['V1', 'V1beta2', 'V1beta1', 'V1alpha3', 'V1alpha2', 'V1alpha1'];

/** Classes are named after version and kind, plus the group if kinds clash. */
function classNames(definition: string): string[] {
  const [kind = '', version = '', group = ''] = definition.split('.').toReversed();
  const versions = [capitalized(version), ...otherVersions];
  return versions.flatMap((each) => [capitalized(group) + each + kind, each + kind]);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
