import type { Step } from './script.ts';
import { get, post, remove } from './steps.ts';

export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A definition with one version, or with the given ones. */
export interface DefinitionOptions {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly scope?: 'Namespaced' | 'Cluster';
  /** For the only version, `v1`. */
  readonly properties?: object;
  /** Members of the only version besides name and schema. */
  readonly version?: object;
  readonly versions?: readonly object[];
  /** Members of the spec besides the usual ones. */
  readonly spec?: object;
  readonly names?: object;
}

export function schema(properties: object, more: object = {}): object {
  return { openAPIV3Schema: { type: 'object', properties, ...more } };
}

export function definition(options: DefinitionOptions): object {
  const { group, plural, kind, scope = 'Namespaced', properties = {}, version = {}, names = {} } = options;
  const only = { name: 'v1', served: true, storage: true, schema: schema(properties), ...version };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope, names: { plural, kind, ...names }, versions: options.versions ?? [only], ...options.spec },
  };
}

/** Creates a definition and waits until it is served. */
export function define(options: DefinitionOptions): readonly Step[] {
  const { group, plural } = options;
  const name = `${plural}.${group}`;
  return [
    post(`define ${plural}`, definitionsPath, definition(options)),
    get(`${plural} are established`, `${definitionsPath}/${name}`, { until: 'InitialNamesAccepted', settles: true }),
  ];
}

/** Deletes a definition and waits until it is gone. */
export function undefine({ group, plural }: DefinitionOptions): readonly Step[] {
  const path = `${definitionsPath}/${plural}.${group}`;
  return [
    remove(`delete the definition of ${plural}`, path),
    get(`the definition of ${plural} is gone`, path, { until: 'NotFound' }),
  ];
}
