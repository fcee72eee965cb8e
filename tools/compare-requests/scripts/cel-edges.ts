import { define } from '../definitions.ts';
import { instance, places } from '../objects.ts';
import { script, type Step } from '../script.ts';
import { inNamespace, metadataType, post, put } from '../steps.ts';
import { evaluationSteps } from './evaluated-expressions.ts';

const space = 'cel-edges';
const custom = {
  group: 'cel-edges.example.com',
  plural: 'deeps',
  kind: 'Deep',
  properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
};
const deeps = places.custom(custom.group, custom.plural, space);

const texts = [
  '1e100',
  '-1e100',
  '1e-100',
  '1e309',
  '1e1000',
  '9.99e99',
  '123456789e90',
  '1E',
  '9223372036854775808e5',
];
const members = [
  '',
  '.isInteger()',
  '.asInteger()',
  '.asApproximateFloat()',
  '.add(quantity("1"))',
  '.sub(quantity("1e100"))',
  '.add(1)',
  '.sub(-1)',
  '.compareTo(quantity("1e100"))',
  '.isGreaterThan(quantity("1e99"))',
  ' == quantity("1e100")',
  '.isLessThan(quantity("1"))',
  '.sub(quantity("1e-100")).isInteger()',
];
const quantities = texts.flatMap((text) => [
  `sign(quantity("${text}"))`,
  `isQuantity("${text}")`,
  ...members.map((member) => `quantity("${text}")${member}`),
]);

const seconds = [
  '9223372036854775807',
  '-9223372036854775808',
  '9007199254740992',
  '-9007199254740993',
  '9223371974719179007',
];
const timeMembers = [
  '',
  '.getFullYear()',
  '.getHours()',
  '.getDayOfYear()',
  '.getMilliseconds()',
  ' < timestamp(0)',
  ' == timestamp(0)',
  ' - timestamp(0)',
  ' + duration("1s")',
  ' + duration("-1s")',
  '.getDate("+01:00")',
];
const times = seconds.flatMap((second) =>
  ['', ', nanos: -1', ', nanos: 1000000000'].flatMap((nanos) =>
    timeMembers.map((member) => `google.protobuf.Timestamp{seconds: ${second}${nanos}}${member}`),
  ),
);

const any = (type: string, content: string): string =>
  `google.protobuf.Any{type_url: "type.googleapis.com/google.protobuf.${type}", value: b"${content}"}`;
const inner = '\\x0a\\x2ctype.googleapis.com/google.protobuf.BoolValue\\x12\\x02\\x08\\x01';
const anys = [
  any('Any', ''),
  any('Any', inner.replace('\\x2c', '\\x2d')),
  any('Any', inner),
  any('Any', '\\xff'),
  'google.protobuf.Any{}',
  'google.protobuf.Any{type_url: "x"}',
  'google.protobuf.Any{value: b"a"}',
].flatMap((each) => [each, `type(${each})`, `${each} == true`, `[${each}]`]);

const at = (depth: number, core: string): string => `${'['.repeat(depth)}${core}${']'.repeat(depth)}`;

function deepSteps(depth: number): readonly Step[] {
  const name = `deep-${String(depth)}`;
  const body = (core: string, version: object = {}): string =>
    JSON.stringify(instance(custom, name, { spec: { deep: 0 } }, { labels: { only: 'deep' }, ...version })).replace(
      '"deep":0',
      `"deep":${at(depth, core)}`,
    );
  const read = { accept: metadataType };
  const version = { resourceVersion: `{{create ${name}|metadata.resourceVersion}}` };
  return [
    post(`create ${name}`, deeps, body('1'), read),
    put(`${name}: the same`, `${deeps}/${name}?dryRun=All`, body('1', version), read),
    put(`${name}: another`, `${deeps}/${name}?dryRun=All`, body('2', version), read),
  ];
}

const admission = '/apis/admissionregistration.k8s.io/v1';
const head = { apiVersion: 'admissionregistration.k8s.io/v1', metadata: { name: 'cel-edges-deep' } };
const literals =
  '"%s %s %s".format([object.spec.deep == oldObject.spec.deep, object.spec == oldObject.spec, object.spec.deep in [oldObject.spec.deep]])';

/** Values at the edges of what Go holds: huge quantities and times, messages in messages, deep lists. */
export const celEdges = script(
  'cel-edges',
  inNamespace(space),
  define(custom),
  post('a policy of deep values', `${admission}/validatingadmissionpolicies`, {
    ...head,
    kind: 'ValidatingAdmissionPolicy',
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: [custom.group], apiVersions: ['v1'], operations: ['UPDATE'], resources: [custom.plural] },
        ],
      },
      validations: [{ expression: 'false', messageExpression: literals }],
    },
  }),
  post('its binding', `${admission}/validatingadmissionpolicybindings`, {
    ...head,
    kind: 'ValidatingAdmissionPolicyBinding',
    spec: { policyName: 'cel-edges-deep', validationActions: ['Deny'] },
  }),
  evaluationSteps(space, quantities, 'quantities'),
  evaluationSteps(space, anys, 'messages'),
  evaluationSteps(space, times, 'times'),
  [100, 1000, 2500, 4000, 8000, 9900].flatMap(deepSteps),
);
