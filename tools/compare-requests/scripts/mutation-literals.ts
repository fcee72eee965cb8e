import { configMap, instance, places, template } from '../objects.ts';
import { define } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { inNamespace, post } from '../steps.ts';

const space = 'mutation-literals';
const policies = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies';
const bindings = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings';
const custom = {
  group: 'mutation-literals.example.com',
  plural: 'literals',
  kind: 'Literal',
  properties: {
    spec: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: {
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        texts: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        keyed: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string' },
              n: { type: 'number' },
              texts: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
            },
          },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
        },
        named: { type: 'object', additionalProperties: { type: 'number' } },
        nested: {
          type: 'object',
          additionalProperties: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        },
      },
    },
  },
} as const;

interface Subject {
  readonly resource: string;
  readonly apiGroup: string;
  readonly path: string;
  readonly object: (name: string) => object;
}

const subjects = {
  templates: {
    resource: 'podtemplates',
    apiGroup: '',
    path: `/api/v1/namespaces/${space}/podtemplates`,
    object: templateOf,
  },
  configMaps: {
    resource: 'configmaps',
    apiGroup: '',
    path: places.configMaps(space),
    object: (name: string) => configMap(name, { a: '1' }, { labels: { l: 'm' }, finalizers: ['example.com/a'] }),
  },
  custom: {
    resource: custom.plural,
    apiGroup: custom.group,
    path: places.custom(custom.group, custom.plural, space),
    object: (name: string) =>
      instance(
        custom,
        name,
        {
          spec: { texts: ['a'], keyed: [{ name: 'k', n: 1.5 }], named: { a: 1 }, free: { list: [[1], { b: [2.0] }] } },
        },
        { labels: { l: 'm' } },
      ),
  },
} satisfies { readonly [name: string]: Subject };

function templateOf(name: string): object {
  const container = { env: [{ name: 'A', value: 'a' }], args: ['x'] };
  const more = { nodeSelector: { a: 'b' }, tolerations: [{ key: 'k', operator: 'Exists' }] };
  return { apiVersion: 'v1', kind: 'PodTemplate', metadata: { name }, template: template(container, more) };
}

const applied = (expression: string): object => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
const patched = (path: string, value: string): object => ({
  patchType: 'JSONPatch',
  jsonPatch: { expression: `[JSONPatch{op: "add", path: "${path}", value: ${value}}]` },
});

const podSpecs = [
  'containers: [{"name": "d", "image": "i"}]',
  'containers: [Object.template.spec.containers{name: "d", image: "i"}]',
  'containers: [Object.template.spec.containers{name: "d", image: "i", env: [{"name": "B", "value": "b"}]}]',
  'containers: [Object.template.spec.containers{name: "d", image: "i", env: [Object.template.spec.containers.env{name: "B", value: "b"}]}]',
  'containers: [Object.template.spec.containers{name: "d", image: "i", env: object.template.spec.containers[0].env}]',
  'containers: [Object.template.spec.containers{name: "c", args: ["y"]}]',
  'containers: [Object.template.spec.containers{name: "c", args: object.template.spec.containers[0].args}]',
  'containers: object.template.spec.containers',
  'containers: [object.template.spec.containers[0]]',
  'containers: object.template.spec.containers.map(c, Object.template.spec.containers{name: c.name, imagePullPolicy: "Never"})',
  'containers: object.template.spec.containers.map(c, {"name": c.name})',
  'containers: [Object.template.spec.containers{image: "i"}]',
  'containers: ["c"]',
  'containers: [null]',
  'containers: {"name": "c"}',
  'initContainers: [Object.template.spec.initContainers{name: "i", image: "i"}] + [Object.template.spec.initContainers{name: "j", image: "i"}]',
  'nodeSelector: {"c": "d"}',
  'nodeSelector: object.template.spec.nodeSelector',
  'nodeSelector: {"c": 1}',
  'nodeSelector: {"c": ["d"]}',
  'nodeSelector: Object.template.spec.nodeSelector{c: "d"}',
  'tolerations: [Object.template.spec.tolerations{key: "a", operator: "Exists"}]',
  'tolerations: object.template.spec.tolerations',
  'tolerations: []',
  'volumes: [Object.template.spec.volumes{name: "v", emptyDir: {}}]',
  'volumes: [Object.template.spec.volumes{name: "v", emptyDir: Object.template.spec.volumes.emptyDir{}}]',
  'volumes: [Object.template.spec.volumes{name: "v", configMap: {"name": "c", "items": [{"key": "a", "path": "b"}]}}]',
  'securityContext: Object.template.spec.securityContext{sysctls: [Object.template.spec.securityContext.sysctls{name: "a", value: "b"}]}',
  'securityContext: {"runAsUser": 5}',
  'securityContext: {"runAsUser": 5.0}',
  'securityContext: {"runAsUser": -0.0}',
  'securityContext: {"runAsUser": 1.5}',
  'securityContext: {"seccompProfile": {"type": "RuntimeDefault"}}',
  'priority: -0.0',
  'activeDeadlineSeconds: 1e1',
  'hostNetwork: "true"',
];
const customSpecs = [
  'texts: ["b"]',
  'texts: ["b", "b"]',
  'texts: [["b"]]',
  'texts: object.spec.texts',
  'texts: [object.spec.texts[0]]',
  'texts: object.spec.texts + ["c"]',
  'texts: [1]',
  'texts: [null]',
  'keyed: [{"name": "m"}]',
  'keyed: [Object.spec.keyed{name: "m", n: -0.0}]',
  'keyed: [Object.spec.keyed{name: "m", n: -0.0, texts: ["a"]}]',
  'keyed: [Object.spec.keyed{name: "m", texts: [["a"]]}]',
  'keyed: object.spec.keyed',
  'keyed: [object.spec.keyed[0]]',
  'keyed: [Object.spec.keyed{n: 1}]',
  'keyed: [{"name": "m"}, {"name": "o"}]',
  'named: {"b": -0.0}',
  'named: {"b": 2.0}',
  'named: {"b": 1e21}',
  'named: {"b": "c"}',
  'named: {"b": [1]}',
  'named: {1: 2.0}',
  'named: object.spec.named',
  'nested: {"a": ["b"]}',
  'nested: {"a": object.spec.texts}',
  'nested: Object.spec.nested{a: ["b"]}',
  'nested: {"a": optional.of(["b"])}',
  'free: object.spec.free',
  'free: {"a": -0.0}',
  'free: {"a": 1.0}',
  'free: {"a": {"b": 1}}',
  'free: {"a": [1]}',
  'free: {"a": [[1]]}',
  'free: {"a": [] + []}',
  'free: {"a": [1] + [2]}',
  'free: {"a": "b,c".split(",")}',
  'free: {"a": object.spec.free.list}',
  'free: {"a": object.spec}',
  'free: {"a": object.metadata.labels}',
  'free: {"a": request.userInfo.groups}',
  'free: {"a": request.kind}',
  'free: {"a": namespaceObject.metadata.labels}',
  'free: {"a": namespaceObject.metadata.name}',
  'free: namespaceObject.metadata.labels',
  'free: request.kind',
  'free: request.userInfo',
  'free: Object.spec.free{a: Object.spec.free.a{b: -0.0, c: [1.5, -0.0]}}',
  'free: Object.spec.free{a: null}',
  'free: Object.spec.free{a: optional.none()}',
  'free: Object.spec.free{a: [optional.none()]}',
  'free: Object.spec.free{a: ["x"].filter(x, x == "y")}',
  'free: Object.spec.free{a: {}}',
  'free: Object.spec.free{a: []}',
];
const mapFields = [
  'metadata: Object.metadata{labels: object.metadata.labels}',
  'metadata: Object.metadata{labels: {"a": ["b"]}}',
  'metadata: Object.metadata{labels: {"a": "b"}.transformMap(k, v, v + "c")}',
  'metadata: Object.metadata{finalizers: ["example.com/b"]}',
  'metadata: Object.metadata{finalizers: object.metadata.finalizers}',
  'metadata: Object.metadata{finalizers: [object.metadata.finalizers]}',
  'metadata: {"labels": {"a": "b"}}',
  'metadata: {"labels": Object.metadata.labels{a: "b"}}',
  'metadata: {"name": "x"}',
  'data: object.data',
  'data: {"a": object.metadata.labels}',
  'data: {"a": object.metadata.finalizers}',
  'data: {"a": object}',
  'data: {"a": request}',
  'data: {"a": request.userInfo}',
  'data: {"b": uint(1)}',
  'data: {"b": uint(1), "c": uint(2), "d": -0.0}',
];
const patchValues = [
  'object.metadata.labels',
  'object.metadata.finalizers',
  'object.metadata',
  'object',
  'request',
  'request.userInfo.groups',
  'request.kind',
  'namespaceObject.metadata.labels',
  'namespaceObject.metadata',
  '[object.metadata.labels]',
  '{"a": object.metadata.labels}',
  '{"a": [object.metadata.finalizers]}',
  '[[1]]',
  '{"a": ["b"]}',
  '{"a": {"b": [[-0.0]]}}',
  '-0.0',
  '[-0.0, 1.0, 1e21, 1e-7]',
  'Object.x{a: [-0.0]}',
  '[] + []',
  '"b,c".split(",")',
  '[1, 2].map(i, [i])',
];

interface Case {
  readonly name: string;
  readonly subject: Subject;
  readonly mutation: object;
}

const cases: readonly Case[] = [
  ...podSpecs.map((field) => caseOf(field, subjects.templates, applied(ofTemplate(field)))),
  ...customSpecs.map((field) => caseOf(field, subjects.custom, applied(`Object{spec: Object.spec{${field}}}`))),
  ...mapFields.map((field) => caseOf(field, subjects.configMaps, applied(`Object{${field}}`))),
  ...patchValues.map((value) => caseOf(`patch ${value}`, subjects.custom, patched('/spec/free', value))),
  ...patchValues.map((value) =>
    caseOf(`patch labels ${value}`, subjects.configMaps, patched('/metadata/labels', value)),
  ),
];

function ofTemplate(field: string): string {
  return `Object{template: Object.template{spec: Object.template.spec{${field}}}}`;
}

function caseOf(name: string, subject: Subject, mutation: object): Case {
  return { name: `${subject.resource}: ${name}`, subject, mutation };
}

function policy({ subject, mutation }: Case, name: string, matchConditions: readonly object[]): object {
  const { resource, apiGroup } = subject;
  const rule = { apiGroups: [apiGroup], apiVersions: ['v1'], operations: ['CREATE'], resources: [resource] };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicy',
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: [rule], objectSelector: { matchLabels: { only: name } } },
      reinvocationPolicy: 'Never',
      matchConditions,
      mutations: [mutation],
    },
  };
}

function binding(name: string): object {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name },
  };
}

function labelled(object: object, only: string): object {
  const { metadata } = object as { readonly metadata: { readonly labels?: object } }; // of all subjects
  return { ...object, metadata: { ...metadata, labels: { ...metadata.labels, only } } };
}

const some = [{ name: 'named', expression: 'object.metadata.name != ""' }];

function stepsWith(matchConditions: readonly object[], prefix: string, of: readonly Case[]): readonly Step[] {
  const named = of.map((each, index) => ({ each, name: `${space}-${prefix}-${String(index)}` }));
  return [
    ...named.flatMap(({ each, name }) => [
      post(`${prefix}: policy of ${each.name}`, policies, policy(each, name, matchConditions)),
      post(`${prefix}: binding of ${each.name}`, bindings, binding(name)),
    ]),
    post(`${prefix}: the last`, places.configMaps(space), configMap(`last-${prefix}`), { settles: 'slowly' }),
    ...named.map(({ each: { name: step, subject }, name }, index) =>
      post(`${prefix}: ${step}`, `${subject.path}?dryRun=All`, labelled(subject.object(`case-${String(index)}`), name)),
    ),
  ];
}

/** Lists and maps within each other in mutations: written ones, and those of what expressions see. */
export const mutationLiterals = script(
  'mutation-literals',
  inNamespace(space),
  define(custom),
  stepsWith(some, 'conditional', cases),
  stepsWith(
    [],
    'always',
    cases.filter(({ name }) => /object|request/i.test(name)),
  ),
);
