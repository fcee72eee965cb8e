import type { JsonObject } from '../../../../src/api/json/json.ts';
import { formatApiVersion } from '../../../../src/api/meta/group-version.ts';
import { builtInResources } from '../../../../src/schema/kubernetes/resources.ts';
import { servedResources } from '../../../../src/schema/kubernetes/api-enablement.ts';
import type { Resource } from '../../../../src/schema/resource.ts';
import { samples } from '../../../all-resources/objects.ts';
import { get, inNamespace, patch, post, put, remove, scenario, type Step, tableType } from '../scenario.ts';

const namespace = 'diff-kinds';

/** Kinds that are managed by other parts of a server. */
const leftOut: ReadonlySet<string> = new Set(['namespaces', 'services', 'servicecidrs', 'ipaddresses']);

const served = new Set(servedResources(new Map()));
const resources = builtInResources().filter(
  (resource) => served.has(resource) && resource.storage !== undefined && !leftOut.has(resource.plural),
);

/** Kinds for which a controller has to act before the object can be compared. */
const untilAnswered: { readonly [plural: string]: Partial<Step> } = {
  apiservices: { until: 'ServiceNotFound' },
  customresourcedefinitions: { until: 'InitialNamesAccepted' },
};

function stepsOf(resource: Resource): Step[] {
  const { group, version, plural, kind, namespaced } = resource;
  const sample = samples[`${group}/${version}/${plural}`] ?? samples[`${group}/${plural}`];
  if (sample === undefined) return [];
  const apiVersion = formatApiVersion(group, version);
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const collection = namespaced ? `${root}/namespaces/${namespace}/${plural}` : `${root}/${plural}`;
  const name = sample.name ?? `diff-${version}`;
  const object: JsonObject = { apiVersion, kind, ...sample.body, metadata: { name } };
  const path = `${collection}/${name}`;
  const label = `${plural}.${version}.${group}`;
  return [
    post(`${label}: create`, collection, object),
    post(`${label}: create again`, collection, object),
    get(path, { name: `${label}: get`, ...untilAnswered[plural] }),
    get(path, { name: `${label}: get as table`, accept: tableType }),
    put(`${label}: replace with a stale version`, path, { ...object, metadata: { name, resourceVersion: '1' } }),
    patch(`${label}: label`, path, { type: 'strategic', body: { metadata: { labels: { changed: 'yes' } } } }),
    patch(`${label}: unknown field`, path, { type: 'merge', body: { unknownField: 1 } }),
    remove(`${label}: delete`, path),
  ];
}

/** The life cycle of an object of every kind served by default. */
export const everyKind = scenario('every-kind', [inNamespace(namespace), ...resources.flatMap(stepsOf)]);
