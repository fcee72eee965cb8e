import fc from 'fast-check';
import type { JsonObject } from '../../src/api/json/json.ts';

/** Random FlowSchemas, and requests that match some of them; the same for the same seed. */
export interface RandomRequests {
  readonly schemas: readonly JsonObject[];
  readonly requests: readonly RandomRequest[];
}

export interface RandomRequest {
  readonly method: string;
  readonly path: string;
  readonly user: string;
  readonly groups: readonly string[];
}

const users = ['alice', 'bob', 'system:kube-scheduler', 'system:node:n1', 'system:serviceaccount:kube-system:x'];
const accounts = ['system:serviceaccount:a:x', 'system:serviceaccount:a:y', 'system:serviceaccount:ab:x'];
const groups = ['devs', 'ops', 'system:nodes', 'system:serviceaccounts', 'system:serviceaccounts:a'];
const namespaces = ['a', 'ab', 'kube-system'];
const apiGroups = ['', 'apps', 'coordination.k8s.io', 'unknown.example.com'];
const resources = ['pods', 'pods/log', 'pods/status', 'configmaps', 'deployments', 'leases', 'namespaces', 'nodes'];
const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
const paths = ['/healthz', '/healthz/ping', '/healthzz', '/version', '/apis', '/api', '/metrics', '/a%20b/c', '/livez'];
const urls = ['/healthz', '/healthz/*', '/version', '/api', '/apis/*', '/metrics', '/a*', '/*', '/livez'];

const some = (values: readonly string[], maxLength = 3) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength });
const anyOrSome = (values: readonly string[]) =>
  fc.oneof({ weight: 1, arbitrary: fc.constant(['*']) }, { weight: 2, arbitrary: some(values) });

const subject = fc.oneof(
  fc.constantFrom(...users, ...accounts, '*').map((name) => ({ kind: 'User', user: { name } })),
  fc.constantFrom(...groups, 'system:authenticated', '*').map((name) => ({ kind: 'Group', group: { name } })),
  fc
    .tuple(fc.constantFrom('a', 'ab', 'kube-system'), fc.constantFrom('x', 'y', '*'))
    .map(([namespace, name]) => ({ kind: 'ServiceAccount', serviceAccount: { namespace, name } })),
);

const resourceRule = fc
  .tuple(anyOrSome(verbs), anyOrSome(apiGroups), anyOrSome(resources), fc.boolean(), fc.option(anyOrSome(namespaces)))
  .map(([ruleVerbs, ruleGroups, ruleResources, clusterScope, scope]) => ({
    verbs: ruleVerbs,
    apiGroups: ruleGroups,
    resources: ruleResources,
    ...(scope === null ? { clusterScope: true } : { clusterScope, namespaces: scope }),
  }));

const pathRule = fc
  .tuple(
    anyOrSome(['get', 'create', 'delete']),
    fc.oneof(fc.constant(['*']), some(urls.filter((url) => url !== '/a*'))),
  )
  .map(([ruleVerbs, nonResourceURLs]) => ({ verbs: ruleVerbs, nonResourceURLs }));

const rule = fc
  .tuple(
    fc.array(subject, { minLength: 1, maxLength: 2 }),
    fc.array(resourceRule, { maxLength: 2 }),
    fc.array(pathRule, { maxLength: 2 }),
  )
  .filter(([, ofResources, ofPaths]) => ofResources.length + ofPaths.length > 0)
  .map(([subjects, resourceRules, nonResourceRules]) => ({ subjects, resourceRules, nonResourceRules }));

/** Levels that exist from the start. */
const levels = ['system', 'node-high', 'leader-election', 'workload-high', 'workload-low', 'global-default', 'missing'];

const schemaSpec = fc.record({
  matchingPrecedence: fc.integer({ min: 3, max: 9_999 }),
  priorityLevelConfiguration: fc.constantFrom(...levels).map((name) => ({ name })),
  distinguisherMethod: fc.constantFrom('ByUser', 'ByNamespace').map((type) => ({ type })),
  rules: fc.array(rule, { minLength: 1, maxLength: 2 }),
});

const request = fc
  .tuple(
    fc.constantFrom(...users, ...accounts, 'mallory'),
    fc.uniqueArray(fc.constantFrom(...groups, 'others'), { maxLength: 2 }),
    fc.oneof(
      { weight: 1, arbitrary: fc.tuple(fc.constantFrom('GET', 'POST', 'DELETE'), fc.constantFrom(...paths)) },
      { weight: 4, arbitrary: resourcePath() },
    ),
  )
  .map(([user, own, [method, path]]): RandomRequest => ({ method, path, user, groups: own }));

function resourcePath() {
  return fc
    .record({
      group: fc.constantFrom(...apiGroups),
      namespace: fc.constantFrom('', ...namespaces),
      resource: fc.constantFrom('pods', 'configmaps', 'deployments', 'leases', 'nodes'),
      name: fc.constantFrom('', 'x'),
      subresource: fc.constantFrom('', '', 'log', 'status'),
      method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
    })
    .map(({ group, namespace, resource, name, subresource, method }): [string, string] => {
      const root = group === '' ? '/api/v1' : `/apis/${group}/v1`;
      const inNamespace = namespace === '' ? '' : `/namespaces/${namespace}`;
      const ofObject = name === '' ? '' : `/${name}${subresource === '' ? '' : `/${subresource}`}`;
      return [method, `${root}${inNamespace}/${resource}${ofObject}`];
    });
}

export function randomRequests(
  seed: number,
  counts: { readonly schemas: number; readonly requests: number },
): RandomRequests {
  const specs = fc.sample(schemaSpec, { seed, numRuns: counts.schemas });
  const schemas = specs.map((spec, at) => ({
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    metadata: { name: `random-${seed}-${at}` },
    spec,
  }));
  return {
    schemas: schemas as unknown as JsonObject[],
    requests: fc.sample(request, { seed, numRuns: counts.requests }),
  };
}
