import {
  childPath,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
} from '../../../api/errors/field-error.ts';
import { dnsLabelErrors } from '../../../api/meta/names.ts';
import type * as flow from '../../../schema/kubernetes/generated/types/flowcontrol-v1.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import {
  aloneIfWildcard,
  dnsLabel,
  dnsSubdomain,
  each,
  enumOrEmpty,
  type Errors,
  isEmpty,
  required,
} from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { conditions } from '../status-conditions.ts';

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

/** Verbs of a rule of a flow schema. */
function* ruleVerbs(values: readonly string[], path: string): Errors {
  if (values.length === 0) yield requiredField(path, 'verbs must contain at least one value');
  else if (values.includes('*')) yield* aloneIfWildcard(values, path, 'verbs');
  else if (!values.every((verb) => verbs.includes(verb))) {
    yield notSupportedField(path, [...values], verbs);
  }
}

const everything: Pick<flow.PolicyRulesWithSubjects, 'resourceRules' | 'nonResourceRules'> = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};

const groups = (...names: string[]): flow.Subject[] => names.map((name) => ({ kind: 'Group', group: { name } }));

/** Mandatory schemas, which cannot be changed. */
const mandatorySchemas: { readonly [name: string]: flow.FlowSchemaSpec } = {
  exempt: {
    priorityLevelConfiguration: { name: 'exempt' },
    matchingPrecedence: 1,
    rules: [{ subjects: groups('system:masters'), ...everything }],
  },
  'catch-all': {
    priorityLevelConfiguration: { name: 'catch-all' },
    matchingPrecedence: 10000,
    distinguisherMethod: { type: 'ByUser' },
    rules: [{ subjects: groups('system:unauthenticated', 'system:authenticated'), ...everything }],
  },
};

export function* flowSchema(schema: flow.FlowSchema): Errors {
  const { metadata, spec = {} } = schema;
  const name = metadata?.name ?? '';
  yield* precedence(spec.matchingPrecedence ?? 0, name);
  yield* distinguisher(spec.distinguisherMethod, 'spec.distinguisherMethod.type');
  const levelPath = 'spec.priorityLevelConfiguration.name';
  const level = spec.priorityLevelConfiguration?.name ?? '';
  if (level === '') yield requiredField(levelPath, 'must reference a priority level');
  else yield* dnsSubdomain(level, levelPath);
  yield* each(ruleWithSubjects)(spec.rules, 'spec.rules');
  if (Object.hasOwn(mandatorySchemas, name) && !sameValue(spec, mandatorySchemas[name])) {
    const value = internalValue('flowcontrol.FlowSchemaSpec', spec);
    yield invalidField('spec', value, `spec of '${name}' must equal the fixed value`);
  }
  yield* conditions(schema);
}

const maxPrecedence = 10000;

function* precedence(value: number, name: string): Errors {
  const path = 'spec.matchingPrecedence';
  if (value <= 0) yield invalidField(path, value, 'must be a positive value');
  if (value > maxPrecedence) yield invalidField(path, value, `must not be greater than ${maxPrecedence}`);
  if (value === 1 && name !== 'exempt') {
    yield invalidField(path, value, "only the schema named 'exempt' may have matchingPrecedence 1");
  }
}

/** The reference shows the method rather than its type. */
function* distinguisher(method: flow.FlowDistinguisherMethod | undefined, path: string): Errors {
  if (method === undefined) return;
  for (const error of enumOrEmpty(['ByNamespace', 'ByUser'])(method.type, path)) {
    yield { ...error, value: { Type: method.type ?? '' } };
  }
}

function* ruleWithSubjects(rule: flow.PolicyRulesWithSubjects, path: string): Errors {
  const { subjects, resourceRules, nonResourceRules } = rule;
  yield* required('subjects must contain at least one value')(subjects, childPath(path, 'subjects'));
  yield* each(subject)(subjects, childPath(path, 'subjects'));
  if (isEmpty(resourceRules) && isEmpty(nonResourceRules)) {
    yield requiredField(path, 'at least one of resourceRules and nonResourceRules has to be non-empty');
  }
  yield* each(resourceRule)(resourceRules, childPath(path, 'resourceRules'));
  yield* each(nonResourceRule)(nonResourceRules, childPath(path, 'nonResourceRules'));
}

/** Members of a subject and the kind each belongs to, in the order in which misplaced ones are reported. */
const subjectMembers = {
  serviceAccount: 'ServiceAccount',
  user: 'User',
  group: 'Group',
} as const;

function* subject(value: flow.Subject, path: string): Errors {
  const { kind = '' } = value;
  const members = Object.entries(subjectMembers) as [keyof typeof subjectMembers, string][];
  const own = members.find(([, owner]) => owner === kind)?.[0];
  if (own === undefined) {
    return yield* enumOrEmpty(['Group', 'ServiceAccount', 'User'])(kind, childPath(path, 'kind'));
  }
  const ownPath = childPath(path, own);
  if (value[own] === undefined) yield requiredField(ownPath, `${own} is required when subject kind is '${kind}'`);
  else if (own === 'serviceAccount') yield* serviceAccount(value[own], ownPath);
  else yield* required()(value[own].name, childPath(ownPath, 'name'));
  for (const [member, owner] of members) {
    if (member === own || value[member] === undefined) continue;
    yield forbiddenField(childPath(path, member), `${member} is forbidden when subject kind is not '${owner}'`);
  }
}

function* serviceAccount({ name = '', namespace = '' }: flow.ServiceAccountSubject, path: string): Errors {
  if (name === '') yield requiredField(childPath(path, 'name'));
  else if (name !== '*') yield* dnsSubdomain(name, childPath(path, 'name'));
  const namespacePath = childPath(path, 'namespace');
  if (namespace === '') yield requiredField(namespacePath, 'must specify namespace for service account');
  else yield* dnsLabel(namespace, namespacePath);
}

function* resourceRule(rule: flow.ResourcePolicyRule, path: string): Errors {
  const { verbs = [], apiGroups = [], resources = [], namespaces = [], clusterScope = false } = rule;
  yield* ruleVerbs(verbs, childPath(path, 'verbs'));
  const lists = { apiGroups: [apiGroups, 'api group'], resources: [resources, 'resource'] } as const;
  for (const [name, [values, what]] of Object.entries(lists)) {
    yield* required(`resource rules must supply at least one ${what}`)(values, childPath(path, name));
    yield* aloneIfWildcard(values, childPath(path, name), `${what}s`);
  }
  const namespacesPath = childPath(path, 'namespaces');
  if (namespaces.length === 0 && !clusterScope) {
    const detail = 'resource rules that are not cluster scoped must supply at least one namespace';
    yield requiredField(namespacesPath, detail);
  } else if (namespaces.includes('*')) yield* aloneIfWildcard(namespaces, namespacesPath, 'namespaces');
  else yield* each(ruleNamespace)(namespaces, namespacesPath);
}

function* ruleNamespace(namespace: string, path: string): Errors {
  for (const text of dnsLabelErrors(namespace)) {
    yield invalidField(path, namespace, `each member of this list must be '*' or a DNS-1123 label; ${text}`);
  }
}

function* nonResourceRule({ verbs = [], nonResourceURLs = [] }: flow.NonResourcePolicyRule, path: string): Errors {
  yield* ruleVerbs(verbs, childPath(path, 'verbs'));
  const urlsPath = childPath(path, 'nonResourceURLs');
  if (nonResourceURLs.length === 0) yield requiredField(urlsPath, 'nonResourceURLs must contain at least one value');
  else if (nonResourceURLs.includes('*')) yield* aloneIfWildcard(nonResourceURLs, urlsPath, 'non-resource URLs');
  else yield* each(nonResourceUrl)(nonResourceURLs, urlsPath);
}

function* nonResourceUrl(url: string, path: string): Errors {
  const problem = urlProblem(url);
  if (problem !== undefined) yield invalidField(path, url, problem);
}

function urlProblem(url: string): string | undefined {
  if (url === '') return 'must not be empty';
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const wildcards = url.split('*').length - 1;
  return wildcards > 1 || (wildcards === 1 && !url.endsWith('/*')) ? 'wildcard can only do suffix matching' : undefined;
}
