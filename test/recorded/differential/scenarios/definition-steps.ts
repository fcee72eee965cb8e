import { get, post, remove, type Step } from '../scenario.ts';

export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A definition with one version, or with the given ones. */
export interface DefinitionOptions {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly names?: object;
  readonly scope?: 'Namespaced' | 'Cluster';
  /** For the only version, `v1`. */
  readonly properties?: object;
  /** Members of the only version besides name and schema. */
  readonly version?: object;
  readonly versions?: readonly object[];
  readonly spec?: object;
  readonly metadata?: object;
}

export function schema(properties: object, more: object = {}): object {
  return { openAPIV3Schema: { type: 'object', properties, ...more } };
}

export function definition(options: DefinitionOptions): object {
  const { group, plural, kind, names = {}, scope = 'Namespaced', properties = {}, version = {}, metadata } = options;
  const only = { name: 'v1', served: true, storage: true, schema: schema(properties), ...version };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, ...metadata },
    spec: { group, scope, names: { plural, kind, ...names }, versions: options.versions ?? [only], ...options.spec },
  };
}

/** Creates a definition and waits until it is established. */
export function define(options: DefinitionOptions): readonly Step[] {
  const { group, plural } = options;
  return [
    post(`define ${plural}`, definitionsPath, definition(options)),
    {
      ...get(`${definitionsPath}/${plural}.${group}`),
      name: `${plural} are established`,
      until: 'InitialNamesAccepted',
    },
  ];
}

/** Deletes a definition and waits until it is gone. */
export function undefine(name: string): readonly Step[] {
  return [
    remove(`delete the definition ${name}`, `${definitionsPath}/${name}`),
    { ...get(`${definitionsPath}/${name}`), name: `${name} is gone`, until: 'NotFound' },
  ];
}
