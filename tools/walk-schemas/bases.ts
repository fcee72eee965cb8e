import { formatApiVersion } from '../../src/api/meta/group-version.ts';
import type { JsonObject } from '../../src/api/json/json.ts';
import { builtInResources } from '../../src/schema/kubernetes/resources.ts';
import type { Resource, Subresource } from '../../src/schema/resource.ts';
import { samples } from '../../test/all-resources/objects.ts';

/** The namespace of the samples. */
export const namespace = 'e2e';

/** A resource and a valid object of it. */
export interface Base {
  /** `apps/v1/deployments` */
  readonly label: string;
  readonly resource: Resource;
  readonly collection: string;
  readonly name: string;
  readonly object: JsonObject;
}

const reviewed: JsonObject = { user: 'dora', resourceAttributes: { namespace, verb: 'get', resource: 'pods' } };
/** Objects of virtual resources. */
const virtualSamples: { readonly [resource: string]: JsonObject } = {
  '/bindings': { target: { kind: 'Node', name: 'sample' } },
  'authentication.k8s.io/tokenreviews': { spec: { token: 'x' } },
  'authentication.k8s.io/selfsubjectreviews': {},
  'authorization.k8s.io/localsubjectaccessreviews': { spec: reviewed },
  'authorization.k8s.io/selfsubjectaccessreviews': { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } },
  'authorization.k8s.io/selfsubjectrulesreviews': { spec: { namespace } },
  'authorization.k8s.io/subjectaccessreviews': { spec: reviewed },
};

/** A valid object of every built-in resource that supports create. */
export function allBases(): readonly Base[] {
  return builtInResources()
    .filter(({ verbs }) => verbs.includes('create'))
    .map(baseOf);
}

function baseOf(resource: Resource): Base {
  const { group, version, plural, kind, namespaced } = resource;
  const virtual = virtualSamples[`${group}/${plural}`];
  const sample = samples[`${group}/${version}/${plural}`] ?? samples[`${group}/${plural}`];
  const name = sample?.name ?? 'sample';
  const body = sample?.body ?? virtual;
  if (body === undefined) throw new Error(`no sample of ${plural}.${group}`);
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return {
    label: `${formatApiVersion(group, version)}/${plural}`,
    resource,
    collection: namespaced ? `${root}/namespaces/${namespace}/${plural}` : `${root}/${plural}`,
    name,
    object: { apiVersion: formatApiVersion(group, version), kind, metadata: { name }, ...body },
  };
}

/** A valid object for a subresource with another kind than its resource. */
export function subresourceObject({ group, version, kind }: Subresource, name: string): JsonObject {
  const object = { apiVersion: formatApiVersion(group, version), kind, metadata: { name } };
  return { ...object, ...subresourceSamples[kind] };
}

const subresourceSamples: { readonly [kind: string]: JsonObject } = {
  Binding: { target: { kind: 'Node', name: 'sample' } },
  Eviction: {},
  Scale: { spec: { replicas: 2 } },
  TokenRequest: { spec: { audiences: ['x'] } },
};
