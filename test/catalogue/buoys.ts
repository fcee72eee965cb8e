import type { JsonObject } from '../../src/api/json/json.ts';
import type { KubernetesObject } from '../../src/api/meta/object.ts';
import { type KindEntry, type KindVersion, definitionPriority } from '../../src/catalogue/kind-entry.ts';
import { defineKind } from '../../src/resources/define-kind.ts';
import { always } from '../../src/resources/kind-warnings.ts';
import { nonNegative } from '../../src/resources/parts/rules/rules.ts';
import { defineTable, nameColumn, textColumn } from '../../src/resources/parts/tables/define-table.ts';
import { kindEnvironment } from '../../src/resources/testdata/kind-environment.ts';
import { customSchema } from '../../src/schema/custom/custom-schema.ts';
import { schemaByName } from '../../src/schema/kubernetes/definitions.ts';
import type { Resource } from '../../src/schema/resource.ts';

/** A kind that is not built in; the field `position` was renamed to `place`. */

const group = 'harbor.example.com';
const placeOf: { readonly [version: string]: string } = { v1: 'place', v1beta1: 'position', v1alpha1: 'position' };

interface Buoy {
  readonly spec?: { readonly place?: string; readonly depth?: number };
}

/** Its definition, of the same form as those of built-in kinds. */
const buoyKind = defineKind<Buoy>({
  group,
  kind: 'Buoy',
  strategy: { requireResourceVersion: true, generation: 'spec' },
  checks: { both: ({ spec }) => nonNegative(spec?.depth, 'spec.depth') },
  warnings: always(({ spec }) => ((spec?.depth ?? 0) > 100 ? ['spec.depth: no chain is that long'] : [])),
  conversions: {
    [`${group}/v1`]: (buoy) => withField(buoy, 'position', 'place'),
    [`${group}/v1beta1`]: (buoy) => withField(buoy, 'place', 'position'),
    [`${group}/v1alpha1`]: (buoy) => withField(buoy, 'place', 'position'),
  },
  table: () =>
    Promise.resolve(
      defineTable<Buoy & KubernetesObject>({
        columns: [nameColumn, textColumn('Place', 'Where it lies.')],
        cells: ({ metadata, spec }) => [metadata.name ?? '', spec?.place ?? ''],
      }),
    ),
});

export interface BuoyOptions {
  readonly served: readonly string[];
  readonly shortNames?: readonly string[];
}

/** An entry with three versions, some of them served; v1 is the storage version. */
export function buoys({ served, shortNames = [] }: BuoyOptions): KindEntry {
  return {
    versions: Object.keys(placeOf).map((version): KindVersion => ({
      resource: resourceOf(version, shortNames),
      served: served.includes(version),
      priority: definitionPriority,
    })),
    behaviour: buoyKind.behaviourIn(kindEnvironment()),
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

function withField(buoy: JsonObject, from: string, to: string): JsonObject {
  const { [from]: place, ...spec } = (buoy['spec'] ?? {}) as JsonObject;
  return { ...buoy, spec: place === undefined ? spec : { ...spec, [to]: place } };
}
