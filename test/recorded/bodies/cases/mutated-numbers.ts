import { type BodyCase, bodyCase, jsonType, type Path, paths } from '../case.ts';
import { patchAnnotation } from '../patching-hook.ts';

// Whole floats from elsewhere than the body: patches of webhooks, policies, defaults; and in scaled fields.

const spellings = ['1', '1.0', '1e1', '2.50', '1e21', '2147483648.0'];

function named(name: string, body: BodyCase): BodyCase {
  return { ...body, name };
}

/** An object that the webhook patches with these operations. */
function patchedByHook(path: Path, operations: string, members: object): BodyCase {
  const metadata = { name: 'x', labels: { patched: 'true' }, annotations: { [patchAnnotation]: operations } };
  return named(`hook ${path} ${operations}`, bodyCase(path, JSON.stringify({ ...members, metadata }), jsonType));
}

const meter = { apiVersion: 'bodies.example.com/v1', kind: 'Meter' };

const deployment = {
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};

const fields = [
  'integer',
  'number',
  'either',
  'text',
  'listed',
  'bounded',
  'alternatives',
  'integerRule',
  'numberRule',
  'eitherRule',
];

function hookCases(number: string): BodyCase[] {
  const add = (path: string, value: string): string => `{"op":"add","path":"${path}","value":${value}}`;
  const test = (path: string, value: string): string => `{"op":"test","path":"${path}","value":${value}}`;
  return [
    ...fields.map((field) => `[${add(`/${field}`, number)}]`),
    `[${add('/free', `{"a":{"b":[${number}]},"known":${number}}`)}]`,
    `[${add('/set', `[1,${number}]`)}]`,
    `[${add('/keyed', `[{"id":1},{"id":${number}}]`)}]`,
    `[${add('/ruledList', `[${number}]`)}]`,
    `[${add('/ruledFree', `{"a":${number}}`)}]`,
    `[${add('/integer', number)},${test('/integer', '1')}]`,
    `[${add('/integer', '1')},${test('/integer', number)}]`,
  ]
    .map((operations) => patchedByHook('meter', operations, meter))
    .concat(
      [
        `[${add('/spec/replicas', number)}]`,
        `[${add('/spec/template/spec/terminationGracePeriodSeconds', number)}]`,
        `[${add('/spec/strategy', `{"rollingUpdate":{"maxSurge":${number}}}`)}]`,
      ].map((operations) => patchedByHook('deployment', operations, deployment)),
    );
}

/** Expressions of mutating policies; an object named like one is mutated by it. */
const mutations: readonly { readonly type: 'JSONPatch' | 'ApplyConfiguration'; readonly expression: string }[] = [
  '1',
  '1.0',
  '1e1',
  '2.5',
  'double(1)',
  '3.0 / 3.0',
].flatMap((number) => [
  ...['integerRule', 'bounded', 'numberRule'].flatMap((field) => [
    { type: 'JSONPatch' as const, expression: `[JSONPatch{op: "add", path: "/${field}", value: ${number}}]` },
    { type: 'ApplyConfiguration' as const, expression: `Object{${field}: ${number}}` },
  ]),
  { type: 'ApplyConfiguration' as const, expression: `Object{numbers: Object.numbers{a: ${number}}}` },
  { type: 'JSONPatch' as const, expression: `[JSONPatch{op: "add", path: "/ruledList", value: [${number}]}]` },
]);

function mutationName(index: number): string {
  return `mutated-${index}`;
}

const mutated: readonly BodyCase[] = mutations.map(({ expression }, index) => {
  const object = { ...meter, metadata: { name: mutationName(index) }, numbers: { z: 1.5 } };
  return named(`policy ${expression}`, bodyCase('meter', JSON.stringify(object), jsonType));
});

/** The policies, each with a binding of its name. */
export const mutatingPolicies: readonly { readonly metadata: { readonly name: string }; readonly spec: object }[] =
  mutations.map(({ type, expression }, index) => ({
    metadata: { name: mutationName(index) },
    spec: {
      reinvocationPolicy: 'Never',
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [
          { apiGroups: ['bodies.example.com'], apiVersions: ['*'], operations: ['*'], resources: ['meters'] },
        ],
      },
      matchConditions: [{ name: 'name', expression: `object.metadata.name == "${mutationName(index)}"` }],
      mutations: [
        type === 'JSONPatch'
          ? { patchType: type, jsonPatch: { expression } }
          : { patchType: type, applyConfiguration: { expression } },
      ],
    },
  }));

/** A definition of a property; `§` is a number. */
const defaulted: readonly string[] = [
  '{"type":"string","default":§}',
  '{"type":"integer","default":§}',
  '{"type":"number","multipleOf":0.5,"default":§}',
  '{"type":"array","items":{"type":"number","multipleOf":0.5},"default":[1.5,§]}',
  '{"type":"object","properties":{"x":{"type":"integer"}},"default":{"x":§},"x-kubernetes-validations":[{"rule":"self.x + 1 > 0"}]}',
  '{"type":"number","enum":[§,5],"default":1.5}',
  '{"type":"object","properties":{"x":{"type":"integer"}},"default":{"z":1,"x":§,"b":2}}',
];

function definitionCase(property: string, number: string): BodyCase {
  const schema = `{"type":"object","properties":{"p":${property.replace('§', number)}}}`;
  const version = `{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":${schema}}}`;
  const names = '"names":{"plural":"dials","kind":"Dial"}';
  const spec = `{"group":"bodies.example.com","scope":"Namespaced",${names},"versions":[${version}]}`;
  const text = `{"metadata":{"name":"dials.bodies.example.com"},"spec":${spec}}`;
  return named(`default ${number} ${property}`, bodyCase('definition', text, jsonType));
}

/** Patches of the status and the scaled fields of the sail that exists before all cases. */
function scaledCases(number: string): BodyCase[] {
  const merge = (path: string, text: string): BodyCase => ({
    ...named(`merge ${path} ${text}`, bodyCase('sail', text, 'application/merge-patch+json')),
    method: 'PATCH',
    path: `${paths.sail}/base${path}`,
  });
  return [
    merge('', `{"spec":{"replicas":${number}}}`),
    merge('/status', `{"status":{"replicas":${number}}}`),
    merge('/status', `{"status":{"selector":${number}}}`),
  ];
}

export const mutatedNumbers: readonly BodyCase[] = [
  ...spellings.flatMap(hookCases),
  ...mutated,
  ...spellings.flatMap((number) => defaulted.map((property) => definitionCase(property, number))),
  ...spellings.flatMap(scaledCases),
];

const [hooked] = hookCases('1');
const policed = mutated.at(-1);

/** Bodies to be sent until the webhook and the last policy mutate them, and what they are then answered with. */
export const mutatedFirst: readonly { readonly body: BodyCase; readonly result: string }[] = [
  ...(hooked === undefined ? [] : [{ body: hooked, result: '"integer":1' }]),
  ...(policed === undefined ? [] : [{ body: policed, result: 'ruledList' }]),
];

/** The definition of sails, which are scaled. */
export const sails = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'sails.bodies.example.com' },
  spec: {
    group: 'bodies.example.com',
    scope: 'Namespaced',
    names: { plural: 'sails', kind: 'Sail' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        subresources: {
          status: {},
          scale: {
            specReplicasPath: '.spec.replicas',
            statusReplicasPath: '.status.replicas',
            labelSelectorPath: '.status.selector',
          },
        },
      },
    ],
  },
};

export const sail = { apiVersion: 'bodies.example.com/v1', kind: 'Sail', metadata: { name: 'base' } };
