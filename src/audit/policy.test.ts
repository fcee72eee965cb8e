import { describe, expect, test } from 'vitest';
import { compilePolicy, type AuditedAttributes } from './policy.ts';
import { readAuditPolicy } from './policy-file.ts';

const head = 'apiVersion: audit.k8s.io/v1\nkind: Policy\n';
const listPods: AuditedAttributes = {
  isResourceRequest: true,
  path: '',
  verb: 'get',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'default',
  name: 'p',
  user: {
    name: 'ann',
    uid: '',
    groups: ['dev'],
    extra: {},
  },
};
const asPath = (path: string): Partial<AuditedAttributes> => ({ isResourceRequest: false, resource: '', path });

async function levelOf(rules: string, attributes: Partial<AuditedAttributes>): Promise<string> {
  const policy = await readAuditPolicy(`${head}rules:\n${rules}\n- level: Metadata\n`, 'p');
  return compilePolicy(policy)({ ...listPods, ...attributes }).level;
}

describe('rules', () => {
  test.each<[string, Partial<AuditedAttributes>, boolean]>([
    ['users: [ann]', {}, true],
    ['users: [bob]', {}, false],
    ['users: [ann]', { user: undefined }, false],
    ['userGroups: [dev, ops]', {}, true],
    ['userGroups: [ops]', {}, false],
    ['verbs: [list, get]', {}, true],
    ['verbs: [list]', {}, false],
    ['namespaces: [default]', {}, true],
    ["namespaces: ['']", { namespace: '' }, true],
    ['namespaces: [default]', asPath('/version'), false],
    ["resources: [{group: ''}]", {}, true],
    ['resources: [{group: apps}]', {}, false],
    ["resources: [{group: '*', resources: [pods]}]", { group: 'apps' }, true],
    ["resources: [{group: '', resources: [pods]}]", { subresource: 'log' }, false],
    ["resources: [{group: '', resources: [pods/log]}]", { subresource: 'log' }, true],
    ["resources: [{group: '', resources: [pods/*]}]", { subresource: 'log' }, true],
    ["resources: [{group: '', resources: ['*/log']}]", { subresource: 'log' }, true],
    ["resources: [{group: '', resources: ['*/log']}]", {}, false],
    ["resources: [{group: '', resources: ['*']}]", { subresource: 'log' }, true],
    ["resources: [{group: '', resources: [pods], resourceNames: [p]}]", {}, true],
    ["resources: [{group: '', resources: [pods], resourceNames: [q]}]", {}, false],
    ['nonResourceURLs: [/healthz*]', asPath('/healthz/ping'), true],
    ['nonResourceURLs: [/healthz]', asPath('/healthz/ping'), false],
    ["nonResourceURLs: ['*']", asPath('/x'), true],
    ["nonResourceURLs: ['*']", {}, false],
  ])('%s of %j: %s', async (rule, attributes, isMatch) => {
    expect(await levelOf(`- level: Request\n  ${rule}`, attributes)).toBe(isMatch ? 'Request' : 'Metadata');
  });

  test('stages and owners of fields are omitted by the policy and by rules', async () => {
    const text = `${head}omitStages: [Panic]\nomitManagedFields: true\nrules:\n- {level: Request, verbs: [get], omitStages: [RequestReceived], omitManagedFields: false}\n- {level: Metadata, verbs: [list]}\n`;
    const decide = compilePolicy(await readAuditPolicy(text, 'p'));
    expect(decide(listPods)).toEqual({
      level: 'Request',
      omitStages: new Set(['Panic', 'RequestReceived']),
      omitManagedFields: false,
    });
    expect(decide({ ...listPods, verb: 'list' }).omitManagedFields).toBe(true);
    expect(decide({ ...listPods, verb: 'watch' }).level).toBe('None');
  });
});

// Recorded from the reference.
test.each<[string, string]>([
  ['', `loading audit policy file: loaded illegal policy with 0 rules: from file p`],
  ['rules: [{}]', 'loading audit policy file: rules[0].level: Required value: from file p'],
  [
    'rules: [{level: All}]',
    'loading audit policy file: rules[0].level: Unsupported value: "All": supported values: "None", "Metadata", "Request", "RequestResponse": from file p',
  ],
  [
    'rules: [{level: None, nonResourceURLs: [x, "/a*b"], namespaces: [why]}]',
    'loading audit policy file: [rules[0].nonResourceURLs[0]: Invalid value: "x": non-resource URL rules must begin with a \'/\' character, rules[0].nonResourceURLs[1]: Invalid value: "/a*b": non-resource URL wildcards \'*\' must be the final character of the rule, rules[0].nonResourceURLs: Invalid value: ["x","/a*b"]: rules cannot apply to both regular resources and non-resource URLs]: from file p',
  ],
  [
    'rules: [{level: None, resources: [{group: apps/v1, resourceNames: [x]}]}]',
    "loading audit policy file: [rules[0].resources.group: Invalid value: \"apps/v1\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'), rules[0].resources.resourceNames: Invalid value: [\"x\"]: using resourceNames requires at least one resource]: from file p",
  ],
  [
    'omitStages: [Later]\nrules: [{level: None}]',
    'loading audit policy file: omitStages[0]: Invalid value: "Later": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic: from file p',
  ],
  [
    'rules: 7',
    'loading audit policy file: failed decoding: json: cannot unmarshal number into Go struct field Policy.rules of type []v1.PolicyRule: from file p',
  ],
])('%s is refused', async (yaml, message) => {
  await expect(readAuditPolicy(`${head}${yaml}\n`, 'p')).rejects.toMatchObject({ code: 'CONFIG', message });
});
