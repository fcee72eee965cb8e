import type { JsonObject } from '../../src/api/json/json.ts';
import type { CaseObject } from '../case-objects.ts';
import { claimCases } from './claim-cases.ts';
import type { CaseStep, PolicyCase } from './policy-case.ts';

const apply = (expression: string): JsonObject => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
const patch = (expression: string): JsonObject => ({ patchType: 'JSONPatch', jsonPatch: { expression } });
const constraints = (group: string, resource: string, more: JsonObject = {}): JsonObject => ({
  matchConstraints: {
    resourceRules: [{ operations: ['*'], apiGroups: [group], apiVersions: ['v1'], resources: [resource], ...more }],
  },
});
const map = (more: JsonObject = {}): JsonObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'one' },
  data: { a: '1' },
  ...more,
});
const deployment: JsonObject = {
  kind: 'Deployment',
  apiVersion: 'apps/v1',
  metadata: { name: 'one', labels: { app: 'a' } },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'a' } },
    template: {
      metadata: { labels: { app: 'a' } },
      spec: {
        containers: [
          { name: 'a', image: 'b', args: ['x'], ports: [{ containerPort: 80 }] },
          { name: 'c', image: 'd', env: [{ name: 'E', value: 'f' }] },
        ],
      },
    },
  },
};
const create: CaseStep = { method: 'POST', path: 'configmaps', body: map() };
const deploy: CaseStep = { method: 'POST', path: '/apis/apps/v1/namespaces/NS/deployments', body: deployment };

const changed = (name: string, mutations: readonly JsonObject[], more: JsonObject = {}): PolicyCase => ({
  name,
  policies: [{ mutations: [...mutations], ...more }],
  steps: [create],
});
const deployed = (name: string, mutations: readonly JsonObject[], more: JsonObject = {}): PolicyCase => ({
  name,
  policies: [{ ...constraints('apps', 'deployments'), mutations: [...mutations], ...more }],
  steps: [deploy],
});

/** Expressions of apply configurations for ConfigMaps. */
const configurations: readonly PolicyCase[] = [
  'Object{}',
  'Object{metadata: Object.metadata{labels: {"x": "y"}}}',
  'Object{metadata: Object.metadata{labels: Object.metadata.labels{x: "y"}}}',
  'Object{metadata: Object.metadata{annotations: {"x": string(size(object.data))}}}',
  'Object{data: {"b": "2", "a": "3"}}',
  'Object{data: object.data}',
  'Object{data: {}}',
  'Object{data: {"b": 1}}',
  'Object{data: {"b": null}}',
  'Object{data: {1: "x"}}',
  'Object{immutable: true}',
  'Object{immutable: "yes"}',
  'Object{unknown: true}',
  'Object{metadata: Object.metadata{unknown: 1}}',
  'Object{metadata: Object.spec{labels: {"x": "y"}}}',
  'Object{data: Object.metadata{x: "y"}, metadata: Object.data{x: "y"}}',
  'Object{metadata: Object.metadata{finalizers: ["example.com/a"]}}',
  'Object{metadata: Object.metadata{ownerReferences: [Object.metadata.ownerReferences{apiVersion: "v1", kind: "Pod", name: "p", uid: "u"}]}}',
  'Object{metadata: Object.metadata{name: "other"}}',
  'Object{metadata: Object.metadata{namespace: "other"}}',
  'Object{kind: "Secret"}',
  'Object{data: {"bad key": "x"}}',
  'Object{data: object.missing}',
  'Object{data: {"time": string(timestamp("2020-01-01T00:00:00Z"))}}',
  'Object{?data: optional.none()}',
  'Object{?data: optional.of({"c": "4"})}',
  'has(object.data) ? Object{data: {"b": "2"}} : Object{}',
  'Object{data: {"same": string(Object{a: 1} == Object{a: 1}), "other": string(Object{a: 1} == Object.x{a: 1})}}',
  'Object{data: {"field": Object{a: "z"}.a}}',
].map((expression) => changed(`apply: ${expression}`, [apply(expression)]));

/** Expressions of JSON patches for ConfigMaps. */
const patches: readonly PolicyCase[] = [
  '[]',
  '[JSONPatch{op: "add", path: "/data/b", value: "2"}]',
  '[JSONPatch{op: "replace", path: "/data/a", value: "2"}]',
  '[JSONPatch{op: "remove", path: "/data/a"}]',
  '[JSONPatch{op: "remove", path: "/data/z"}]',
  '[JSONPatch{op: "move", from: "/data/a", path: "/data/b"}]',
  '[JSONPatch{op: "copy", from: "/data/a", path: "/data/b"}]',
  '[JSONPatch{op: "test", path: "/data/a", value: "1"}, JSONPatch{op: "add", path: "/data/b", value: "2"}]',
  '[JSONPatch{op: "add", path: "/data/b", value: "2"}, JSONPatch{op: "test", path: "/data/a", value: "2"}]',
  '[JSONPatch{op: "test", path: "/data/z", value: "2"}]',
  '[JSONPatch{op: "frobnicate", path: "/data/z", value: "2"}]',
  '[JSONPatch{op: "add", path: "/data/b", value: 2}]',
  '[JSONPatch{op: "add", path: "/data/b", value: null}]',
  '[JSONPatch{op: "add", path: "/data/b"}]',
  '[JSONPatch{op: "add", path: "/data", value: {"c": "3"}}]',
  '[JSONPatch{op: "add", path: "/data", value: Object.data{c: "3"}}]',
  '[JSONPatch{op: "add", path: "/metadata/labels", value: Object.metadata.labels{c: "3"}}]',
  '[JSONPatch{op: "add", path: "/metadata", value: Object.metadata{labels: Object.spec{c: "3"}}}]',
  '[JSONPatch{op: "add", path: "/unknown", value: 1}]',
  '[JSONPatch{op: "add", path: "/immutable", value: "x"}]',
  '[JSONPatch{op: "add", path: "/metadata/annotations", value: {jsonpatch.escapeKey("a/b~c"): "x"}}]',
  '[JSONPatch{op: "add", path: "/data/" + jsonpatch.escapeKey("k"), value: duration("90s")}]',
  '[JSONPatch{op: "add", path: "/data/t", value: timestamp("2020-01-01T00:00:00Z")}]',
  '[JSONPatch{op: "add", path: "/data/t", value: b"abc"}]',
  '[JSONPatch{op: "add", path: "/data/t", value: 9007199254740993}]',
  '[JSONPatch{op: "add", path: "/data/t", value: 3u}]',
  '[JSONPatch{op: "add", path: "/data/t", value: object.data.a + "x"}]',
  '[JSONPatch{op: "add", path: "/data/t", value: type(1)}]',
  'object.data.map(k, JSONPatch{op: "add", path: "/data/" + k + k, value: object.data[k]})',
  '[JSONPatch{op: "add", path: "/data/t", value: object.missing}]',
  'has(object.data) ? [JSONPatch{op: "add", path: "/data/b", value: "2"}] : []',
  '[JSONPatch{op: "add", path: "data/b", value: "2"}]',
  '[JSONPatch{op: "replace", path: "/kind", value: "Secret"}]',
  '[JSONPatch{op: "replace", path: "/kind", value: "Nothing"}]',
  '[JSONPatch{op: "replace", path: "/metadata/name", value: "two"}]',
].map((expression) => changed(`patch: ${expression}`, [patch(expression)]));

const part = 'Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec';

/** Apply configurations for structs, lists of all types, atomic parts and other formats. */
const deployments: readonly PolicyCase[] = [
  'Object{spec: Object.spec{replicas: object.spec.replicas + 2}}',
  'Object{spec: Object.spec{replicas: "three"}}',
  'Object{spec: Object.spec{replicas: 1.5}}',
  'Object{spec: Object.spec{paused: true, minReadySeconds: 5}}',
  'Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {"x": "y"}}}}',
  'Object{spec: Object.spec{strategy: Object.spec.strategy{type: "Recreate"}}}',
  `${part}{containers: [Object.spec.template.spec.containers{name: "a", image: "z"}]}}}}`,
  `${part}{containers: [Object.spec.template.spec.containers{name: "new", image: "z"}]}}}}`,
  `${part}{containers: [Object.spec.template.spec.containers{image: "z"}]}}}}`,
  `${part}{containers: [Object.spec.template.spec.containers.item{name: "a", image: "z"}]}}}}`,
  `${part}{containers: [Object.spec.template.spec.containers{name: "a", args: ["y"]}]}}}}`,
  `${part}{containers: [Object.spec.template.spec.containers{name: "c", env: [Object.spec.template.spec.containers.env{name: "G", value: "h"}]}]}}}}`,
  `${part}{containers: object.spec.template.spec.containers.map(c, Object.spec.template.spec.containers{name: c.name, imagePullPolicy: "Always"})}}}}`,
  `${part}{containers: [Object.spec.template.spec.containers{name: "a", image: "y"}, Object.spec.template.spec.containers{name: "a", image: "z"}]}}}}`,
  `${part}{containers: "none"}}}}`,
  `${part}{nodeSelector: {"disk": "ssd"}, terminationGracePeriodSeconds: 5}}}}`,
  `${part}{tolerations: [Object.spec.template.spec.tolerations{key: "k", operator: "Exists"}]}}}}`,
  `${part}{containers: [Object.spec.template.spec.containers{name: "a", resources: Object.spec.template.spec.containers.resources{limits: {"cpu": "1"}}}]}}}}`,
].map((expression) => deployed(`apply: ${expression}`, [apply(expression)]));

const patchedDeployments: readonly PolicyCase[] = [
  '[JSONPatch{op: "add", path: "/spec/template/spec/containers/-", value: Object.spec.template.spec.containers{name: "new", image: "z"}}]',
  '[JSONPatch{op: "add", path: "/spec/replicas", value: 4}]',
  '[JSONPatch{op: "add", path: "/spec/replicas", value: "four"}]',
  '[JSONPatch{op: "add", path: "/spec/foo", value: 4}]',
  '[JSONPatch{op: "add", path: "/spec/replicas", value: 4.5}]',
  '[JSONPatch{op: "remove", path: "/spec/strategy"}]',
  '[JSONPatch{op: "replace", path: "/spec/template/spec/containers/0/args/0", value: variables.word}]',
].map((expression) =>
  deployed(`patch: ${expression}`, [patch(expression)], { variables: [{ name: 'word', expression: '"hi"' }] }),
);

const add = (key: string, value: string): JsonObject =>
  patch(`[JSONPatch{op: "add", path: "/data/${key}", value: ${value}}]`);
const count = (key: string): JsonObject => add(key, 'string(size(object.data))');

const again = add('n', '(has(object.data.n) ? object.data.n : "") + "x"');

/** Several mutations, policies and passes; conditions, parameters and failures. */
const orders: readonly PolicyCase[] = [
  changed('mutations in order', [count('x'), count('y'), apply('Object{data: {"z": string(size(object.data))}}')]),
  changed('the first mutation fails', [add('x', 'object.missing'), add('y', '"2"')]),
  changed('the first mutation fails, Ignore', [add('x', 'object.missing'), add('y', '"2"')], {
    failurePolicy: 'Ignore',
  }),
  changed('two mutations fail', [add('x', 'object.missing'), add('y', 'object.nothing')]),
  changed('an object that does not decode, Ignore', [add('x', '2')], { failurePolicy: 'Ignore' }),
  // The reference applies policies in any order.
  ...(['Never', 'IfNeeded'] as const).flatMap((first) =>
    (['Never', 'IfNeeded'] as const).map((second) => ({
      name: `${first} and ${second}`,
      policies: [first, second].map((reinvocationPolicy) => ({ mutations: [again], reinvocationPolicy })),
      steps: [create],
    })),
  ),
  ...[
    ['true', {}],
    ['false', {}],
    ["object.data.a == '1' && variables.one == 1", { variables: [{ name: 'one', expression: '1' }] }],
    ['object.missing', {}],
    ['object.missing', { failurePolicy: 'Ignore' }],
    ["request.operation == 'CREATE' && namespaceObject == null", {}],
  ].map(([expression, more]) =>
    changed(`condition ${expression as string} ${JSON.stringify(more)}`, [add('b', '"2"')], {
      matchConditions: [{ name: 'c', expression: expression as string }],
      ...(more as JsonObject),
    }),
  ),
  changed('a variable that fails', [add('b', 'variables.bad')], {
    variables: [{ name: 'bad', expression: 'object.missing' }],
  }),
  changed('a variable that is an object', [apply('variables.whole')], {
    variables: [{ name: 'whole', expression: "{'data': {'b': '2'}}" }],
  }),
  changed('the namespace, the request and the user', [
    apply(
      'Object{data: {"ns": namespaceObject.metadata.name, "op": request.operation, "who": request.userInfo.username, "may": string(authorizer.requestResource.check("create").allowed())}}',
    ),
  ]),
  {
    name: 'all verbs',
    policies: [{ mutations: [count('n')] }],
    steps: [
      create,
      { method: 'PUT', path: 'configmaps/one', body: map({ data: { a: '2' } }) },
      {
        method: 'PATCH',
        path: 'configmaps/one?fieldManager=x',
        contentType: 'application/merge-patch+json',
        body: { data: { b: '1' } },
      },
      {
        method: 'PATCH',
        path: 'configmaps/two?fieldManager=x&force=true',
        contentType: 'application/apply-patch+yaml',
        body: map({ metadata: { name: 'two' }, data: { c: '1' } }),
      },
      { method: 'DELETE', path: 'configmaps/one' },
    ],
  },
  {
    name: 'a scale',
    policies: [
      {
        ...constraints('apps', 'deployments/scale'),
        mutations: [apply('Object{spec: Object.spec{replicas: 7}}')],
      },
    ],
    steps: [
      deploy,
      {
        method: 'PATCH',
        path: '/apis/apps/v1/namespaces/NS/deployments/one/scale',
        contentType: 'application/merge-patch+json',
        body: { spec: { replicas: 2 } },
      },
    ],
  },
];

const param = (name: string, data: JsonObject): CaseObject => ({
  path: 'configmaps',
  body: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name, labels: { param: 'yes' } }, data },
});
const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
const parametrised = (name: string, paramRef: JsonObject, more: JsonObject = {}): PolicyCase => ({
  name: `parameters ${name}`,
  objects: [param('p1', { v: 'first' }), param('p2', { v: 'second' })],
  policies: [
    {
      paramKind,
      mutations: [
        apply(
          'Object{data: {"v-" + (params == null ? "none" : params.metadata.name): params == null ? "none" : params.data.v}}',
        ),
      ],
      ...more,
    },
  ],
  bindings: [{ paramRef }],
  steps: [create],
});

const parameters: readonly PolicyCase[] = [
  parametrised('by name', { name: 'p1', parameterNotFoundAction: 'Deny' }),
  parametrised('by selector', { selector: { matchLabels: { param: 'yes' } }, parameterNotFoundAction: 'Deny' }),
  parametrised('that are missing, Deny', { name: 'p9', parameterNotFoundAction: 'Deny' }),
  parametrised('that are missing, Allow', { name: 'p9', parameterNotFoundAction: 'Allow' }),
  parametrised(
    'that are missing, Deny and Ignore',
    { name: 'p9', parameterNotFoundAction: 'Deny' },
    { failurePolicy: 'Ignore' },
  ),
];

const definition: CaseObject = {
  path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  body: {
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { name: 'ships.case-CASE.example.com' },
    spec: {
      group: 'case-CASE.example.com',
      names: { plural: 'ships', kind: 'Ship' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  properties: {
                    size: { type: 'integer' },
                    crew: {
                      type: 'array',
                      items: {
                        type: 'object',
                        properties: { name: { type: 'string' }, rank: { type: 'string' } },
                        required: ['name'],
                      },
                      'x-kubernetes-list-type': 'map',
                      'x-kubernetes-list-map-keys': ['name'],
                    },
                    ports: { type: 'array', items: { type: 'string' } },
                    cargo: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                  },
                },
              },
            },
          },
        },
      ],
    },
  },
};

/** Custom resources have no Go type; lists without a type are atomic. */
const ships: readonly PolicyCase[] = [
  apply('Object{spec: Object.spec{size: 5}}'),
  apply('Object{spec: Object.spec{size: "five"}}'),
  apply('Object{spec: Object.spec{unknown: 1}}'),
  apply('Object{spec: Object.spec{crew: [Object.spec.crew{name: "b", rank: "x"}]}}'),
  apply('Object{spec: Object.spec{ports: ["x"]}}'),
  apply('Object{spec: Object.spec{cargo: Object.spec.cargo{a: Object.spec.cargo.a{b: 1}}}}'),
  patch('[JSONPatch{op: "add", path: "/spec/size", value: 6}]'),
  patch('[JSONPatch{op: "add", path: "/spec/size", value: "six"}]'),
  patch('[JSONPatch{op: "add", path: "/spec/unknown", value: 1}]'),
  patch('[JSONPatch{op: "add", path: "/spec/ports/-", value: "y"}]'),
].map((mutation) => ({
  name: `a custom resource: ${JSON.stringify(mutation)}`,
  objects: [definition],
  policies: [{ ...constraints('case-CASE.example.com', 'ships'), mutations: [mutation] }],
  steps: [
    {
      method: 'POST' as const,
      path: '/apis/case-CASE.example.com/v1/namespaces/NS/ships',
      body: {
        kind: 'Ship',
        apiVersion: 'case-CASE.example.com/v1',
        metadata: { name: 'one' },
        spec: { size: 1, crew: [{ name: 'a' }], ports: ['p'], cargo: { z: 1 } },
      },
    },
  ],
}));

const policiesPath = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies';

/** Expressions are compiled when policies are stored. */
const stored: readonly PolicyCase[] = [
  apply('Object{'),
  apply('"text"'),
  apply('{"a": "b"}'),
  apply('Object.spec{}'),
  apply('dyn(Object{})'),
  apply('Invalid{}'),
  apply('Object'),
  apply('  Object{}  '),
  apply('variables.x'),
  apply('params.x'),
  apply('Object{metadata: object.metadata, spec: nothing}'),
  patch('[]'),
  patch('[1]'),
  patch('JSONPatch{}'),
  patch('[JSONPatch{}, Object{}]'),
  patch('[JSONPatch{op: 1}]'),
  patch('[JSONPatch{op: "add", path: Invalid{}}]'),
  patch('[JSONPatch{foo: "add"}]'),
  patch('object.x.map(y, JSONPatch{op: "add", path: y})'),
  patch('jsonpatch.escapeKey(1)'),
].map((mutation, index) => ({
  name: `stored: ${JSON.stringify(mutation)}`,
  policies: [],
  steps: [
    {
      method: 'POST' as const,
      path: policiesPath,
      body: {
        kind: 'MutatingAdmissionPolicy',
        apiVersion: 'admissionregistration.k8s.io/v1',
        metadata: { name: `stored-CASE-${index}` },
        spec: {
          ...constraints('', 'nothing'),
          reinvocationPolicy: 'Never',
          mutations: [mutation],
          matchConditions: [{ name: 'c', expression: 'true' }],
        },
      },
    },
  ],
}));

export const mutatingCases: readonly PolicyCase[] = [
  ...configurations,
  ...patches,
  ...deployments,
  ...patchedDeployments,
  ...orders,
  ...parameters,
  ...ships,
  ...stored,
  ...claimCases,
];
