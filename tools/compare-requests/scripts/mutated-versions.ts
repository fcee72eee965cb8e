import { define, schema } from '../definitions.ts';
import { places } from '../objects.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put } from '../steps.ts';

const space = 'mutated-versions';
const group = 'mutated-versions.example.com';
const policies = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies';
const bindings = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings';
const text = { type: 'string' };
const number = { type: 'integer' };

/** Each version knows a field that the other one does not. */
const versions = [
  {
    name: 'v1',
    served: true,
    storage: true,
    subresources: { status: {} },
    schema: schema({
      spec: {
        type: 'object',
        properties: {
          both: text,
          old: number,
          low: {
            ...number,
            default: 3,
          },
        },
      },
      status: {
        type: 'object',
        properties: {
          both: text,
          old: number,
        },
      },
    }),
  },
  {
    name: 'v2',
    served: true,
    storage: false,
    subresources: { status: {} },
    schema: schema({
      spec: {
        type: 'object',
        properties: {
          both: text,
          fresh: number,
          high: {
            ...number,
            default: 4,
          },
        },
      },
      status: {
        type: 'object',
        properties: {
          both: text,
          fresh: number,
        },
      },
    }),
  },
] as const;
const custom = { group, plural: 'shells', kind: 'Shell', versions } as const;

const patched = (path: string, value: string): object => ({
  patchType: 'JSONPatch',
  jsonPatch: { expression: `[JSONPatch{op: "add", path: "${path}", value: ${value}}]` },
});
const applied = (expression: string): object => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});

/** What policies add, by the label of the objects that they are for. */
const mutations: { readonly [label: string]: object } = {
  old: patched('/spec/old', '7'),
  fresh: patched('/spec/fresh', '7'),
  unknown: patched('/spec/unknown', '7'),
  nothing: patched('/spec/old', 'null'),
  text: patched('/spec/old', '"seven"'),
  status: patched('/status', '{"both": "b", "old": 1, "fresh": 2}'),
  outside: patched('/more', '{"a": 1}'),
  both: applied('Object{spec: Object.spec{both: "policy"}}'),
};

const policy = (label: string, mutation: object): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingAdmissionPolicy',
  metadata: { name: `${space}-${label}` },
  spec: {
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: [group],
          apiVersions: ['*'],
          operations: ['CREATE', 'UPDATE'],
          resources: ['shells', 'shells/status'],
        },
      ],
      objectSelector: { matchLabels: { mutation: label } },
    },
    reinvocationPolicy: 'Never',
    failurePolicy: 'Fail',
    mutations: [mutation],
  },
});
const binding = (label: string): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingAdmissionPolicyBinding',
  metadata: { name: `${space}-${label}` },
  spec: { policyName: `${space}-${label}` },
});

const at = (version: string, name = ''): string =>
  `${places.custom(group, custom.plural, space, version)}${name === '' ? '' : `/${name}`}`;
const shell = (version: string, name: string, label: string, spec: object): object => ({
  apiVersion: `${group}/${version}`,
  kind: 'Shell',
  metadata: {
    name,
    labels: { mutation: label },
  },
  spec,
});

/** What both versions show after a write. */
const both = (title: string, name: string): readonly Step[] =>
  ['v1', 'v2'].map((version) => get(`${title}: ${name} in ${version}`, at(version, name)));

function writes(label: string, version: string): readonly Step[] {
  const name = `${label}-${version}`;
  const title = `${label} in ${version}`;
  return [
    post(`${title}: create`, at(version), shell(version, name, label, { both: 'b' })),
    both(`${title}: created`, name),
    put(`${title}: put`, at(version, name), shell(version, name, label, { both: 'c' })),
    patch(`${title}: merge`, 'merge', at(version, name), { spec: { both: 'd' } }),
    apply(`${title}: apply`, at(version, name), shell(version, name, label, { both: 'e' }), 'one&force=true'),
    both(`${title}: applied`, name),
    patch(`${title}: merge the status`, 'merge', `${at(version, name)}/status`, { status: { both: 's' } }),
    both(`${title}: with a status`, name),
    apply(`${title}: applied anew`, at(version, `${name}-new`), shell(version, `${name}-new`, label, { both: 'f' })),
  ].flat();
}

export const mutatedVersions = script(
  space,
  inNamespace(space),
  define(custom),
  forEach(mutations, (mutation, label) => [
    post(`policy ${label}`, policies, policy(label, mutation)),
    post(`binding ${label}`, bindings, binding(label)),
  ]),
  post('all are in force', `${at('v1')}?dryRun=All`, shell('v1', 'waits', 'both', {}), {
    until: '"both":"policy"',
    settles: true,
  }),
  forEach(mutations, (_, label) => ['v1', 'v2'].flatMap((version) => writes(label, version))),
);
