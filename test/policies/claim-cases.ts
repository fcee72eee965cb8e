import type { JsonObject } from '../../src/api/json/json.ts';
import type { CaseObject } from '../case-objects.ts';
import type { PolicyCase } from './policy-case.ts';

const group = 'claims-CASE.example.com';
const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const definition: CaseObject = {
  path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  body: {
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: ['v1', 'v2'].map((name) => ({
        name,
        served: true,
        storage: name === 'v1',
        schema: { openAPIV3Schema: free },
      })),
    },
  },
};

const patched = (operation: string): JsonObject => ({
  mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: `[JSONPatch{${operation}}]` } }],
});

/** A policy for `v1`, and a client of another version or the same. */
const ofThing = (version: string, operation: string): PolicyCase => ({
  name: `claims, ${version}: ${operation}`,
  objects: [definition],
  policies: [
    {
      ...patched(operation),
      matchConstraints: {
        resourceRules: [{ operations: ['*'], apiGroups: [group], apiVersions: ['v1'], resources: ['things'] }],
      },
    },
  ],
  steps: [
    {
      method: 'POST',
      path: `/apis/${group}/${version}/namespaces/NS/things`,
      body: { apiVersion: `${group}/${version}`, kind: 'Thing', metadata: { name: 'one' }, spec: { replicas: 1 } },
    },
    { method: 'GET', path: `/apis/${group}/v1/namespaces/NS/things/one` },
  ],
});

const ofMap = (operation: string): PolicyCase => ({
  name: `claims: ${operation}`,
  policies: [patched(operation)],
  steps: [
    {
      method: 'POST',
      path: 'configmaps',
      body: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'one' }, data: { a: '1' } },
    },
  ],
});

const replaced = (field: string, value: string): string => `op: "replace", path: "/${field}", value: "${value}"`;
const removals = ['op: "remove", path: "/kind"', 'op: "remove", path: "/apiVersion"'];

/** Patches after which objects claim to be something else. */
export const claimCases: readonly PolicyCase[] = [
  ...['v1', 'v2'].flatMap((version) =>
    [
      ...[`${group}/v2`, `${group}/v9`, 'other.example.com/v1', 'v1', 'a/b/c'].map((to) => replaced('apiVersion', to)),
      ...['Other', 'ThingList'].map((to) => replaced('kind', to)),
      ...removals,
    ].map((operation) => ofThing(version, operation)),
  ),
  ...[replaced('apiVersion', 'apps/v1'), replaced('apiVersion', `${group}/v1`), ...removals].map(ofMap),
];
