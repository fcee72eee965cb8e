import type { JsonObject } from '../../src/api/json.ts';
import type { KubernetesObject } from '../../src/api/object.ts';
import { type KindEntry, type KindVersion, definitionPriority } from '../../src/catalogue/kind-entry.ts';
import { defaultTable } from '../../src/resources/tables/default-table.ts';
import { customSchema } from '../../src/schema/custom/custom-schema.ts';
import { schemaByName } from '../../src/schema/kubernetes/definitions.ts';
import type { Resource } from '../../src/schema/resource.ts';

/** A kind that nobody has built in: where a buoy lies is a place, and was a position. */

const group = 'harbor.example.com';
const placeOf: { readonly [version: string]: string } = { v1: 'place', v1beta1: 'position', v1alpha1: 'position' };

export interface BuoyOptions {
  readonly served: readonly string[];
  readonly shortNames?: readonly string[];
}

/** An entry with three versions, of which some are served; v1 is stored. */
export function buoys({ served, shortNames = [] }: BuoyOptions): KindEntry {
  return {
    versions: Object.keys(placeOf).map((version): KindVersion => ({
      resource: resourceOf(version, shortNames),
      served: served.includes(version),
      priority: definitionPriority,
    })),
    behaviour: {
      strategyOf: () => ({ requireResourceVersion: true, generation: 'spec' }),
      converter: {
        waits: false,
        convert: (objects, { version }) => objects.map((object) => withPlace(object, version)),
      },
      defaulters: {},
      tableOf: () => Promise.resolve(defaultTable),
    },
  };
}

function resourceOf(version: string, shortNames: readonly string[]): Resource {
  const metadata = schemaByName('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
  if (metadata === undefined) throw new Error('no metadata');
  const field = placeOf[version] ?? '';
  const definition = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { [field]: { type: 'string' }, depth: { type: 'integer' } } } },
  };
  const kind = 'Buoy';
  return {
    group,
    version,
    plural: 'buoys',
    singular: 'buoy',
    kind,
    listKind: 'BuoyList',
    shortNames,
    categories: [],
    namespaced: true,
    verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
    subresources: [],
    schema: customSchema(definition, metadata),
    storage: { prefix: `${group}/buoys`, group, version: 'v1', kind },
  };
}

function withPlace(object: KubernetesObject, version: string): KubernetesObject {
  const [from, to] = [placeOf[object.apiVersion.split('/')[1] ?? ''] ?? '', placeOf[version] ?? ''];
  const { [from]: place, ...spec } = (object['spec'] ?? {}) as JsonObject;
  const moved = place === undefined ? spec : { ...spec, [to]: place };
  return { ...object, apiVersion: `${group}/${version}`, spec: moved };
}
