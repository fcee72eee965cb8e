import { type AuditLevel, auditLevels, type AuditStage, auditStages } from '../api/contracts/audit.ts';
import { ConfigError } from '../api/errors/config-error.ts';
import { joinedErrors } from '../api/text/error-texts.ts';
import {
  type FieldError,
  fieldErrorText,
  invalidField,
  keyPath,
  notSupportedField,
  requiredField,
} from '../api/errors/field-error.ts';
import { nameRules } from '../api/meta/names.ts';
import {
  ConfigurationDocumentError,
  type NamedDocument,
  readConfigurationDocument,
} from '../codec/configuration-document.ts';
import { field, flag, list, struct, text } from '../schema/plain-schema.ts';
import { auditVersion } from './audit-config.ts';

/** A rule as written. */
export interface PolicyRule {
  readonly level: AuditLevel;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly GroupResources[];
  readonly namespaces: readonly string[];
  readonly nonResourceURLs: readonly string[];
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean | undefined;
}

export interface GroupResources {
  /** `*`: any. */
  readonly group: string;
  // `pods`, `pods/log`, `pods/*`, `*/scale`, `*`; empty: all.
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

export interface AuditPolicy {
  readonly rules: readonly PolicyRule[];
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

const texts = list(text);
const groupResources = struct('GroupResources', [
  field('group', text),
  field('resources', texts),
  field('resourceNames', texts),
]);
const policySchema = struct('Policy', [
  field('kind', text),
  field('apiVersion', text),
  field('metadata', struct('ObjectMeta', [field('name', text)])),
  field(
    'rules',
    list(
      struct('PolicyRule', [
        field('level', text),
        field('users', texts),
        field('userGroups', texts),
        field('verbs', texts),
        field('resources', list(groupResources)),
        field('namespaces', texts),
        field('nonResourceURLs', texts),
        field('omitStages', texts),
        field('omitManagedFields', flag, true),
      ]),
    ),
  ),
  field('omitStages', texts),
  field('omitManagedFields', flag),
]);

/** What decoding gives: absent fields are absent. */
type Written<T> = { readonly [Field in keyof T]?: T[Field] };
type WrittenRule = Written<Omit<PolicyRule, 'resources'>> & { readonly resources?: readonly Written<GroupResources>[] };

/** Reads a policy, ignoring unknown fields. Throws a ConfigError. */
export async function readAuditPolicy(yaml: string, path: string): Promise<AuditPolicy> {
  const refuse = (why: string): ConfigError => new ConfigError(`loading audit policy file: ${why}: from file ${path}`);
  const form = { kind: 'Policy', versions: [auditVersion], schema: policySchema, isLenient: true };
  let document: NamedDocument;
  try {
    document = readConfigurationDocument(yaml, form);
  } catch (error) {
    throw error instanceof ConfigurationDocumentError ? refuse(`failed decoding: ${error.message}`) : error;
  }
  // Decoded by the schema above.
  const written = document.object as Written<Omit<AuditPolicy, 'rules'>> & { readonly rules?: readonly WrittenRule[] };
  const policy: AuditPolicy = {
    rules: (written.rules ?? []).map(ruleOf),
    omitStages: written.omitStages ?? [],
    omitManagedFields: written.omitManagedFields === true,
  };
  const errors = [...policyErrors(policy)];
  if (errors.length > 0) throw refuse(joinedErrors(errors.map(fieldErrorText)));
  if (policy.rules.length === 0) throw refuse('loaded illegal policy with 0 rules');
  return policy;
}

function ruleOf({ resources = [], ...rule }: WrittenRule): PolicyRule {
  return {
    level: rule.level ?? ('' as AuditLevel), // refused below
    users: rule.users ?? [],
    userGroups: rule.userGroups ?? [],
    verbs: rule.verbs ?? [],
    resources: resources.map(({ group = '', resources: names = [], resourceNames = [] }) => ({
      group,
      resources: names,
      resourceNames,
    })),
    namespaces: rule.namespaces ?? [],
    nonResourceURLs: rule.nonResourceURLs ?? [],
    omitStages: rule.omitStages ?? [],
    omitManagedFields: rule.omitManagedFields,
  };
}

function* policyErrors({ omitStages, rules }: AuditPolicy): Generator<FieldError> {
  yield* stageErrors(omitStages, 'omitStages');
  for (const [index, rule] of rules.entries()) yield* ruleErrors(rule, keyPath('rules', index));
}

function* ruleErrors(rule: PolicyRule, path: string): Generator<FieldError> {
  const { level, nonResourceURLs, resources, namespaces, omitStages } = rule;
  const written: string = level;
  if (written === '') yield requiredField(`${path}.level`);
  else if (!auditLevels.includes(level)) yield notSupportedField(`${path}.level`, level, auditLevels);
  for (const [index, url] of nonResourceURLs.entries()) {
    yield* urlErrors(url, keyPath(`${path}.nonResourceURLs`, index));
  }
  for (const each of resources) yield* resourceErrors(each, `${path}.resources`);
  yield* stageErrors(omitStages, `${path}.omitStages`);
  if (nonResourceURLs.length > 0 && (resources.length > 0 || namespaces.length > 0)) {
    const detail = 'rules cannot apply to both regular resources and non-resource URLs';
    yield invalidField(`${path}.nonResourceURLs`, [...nonResourceURLs], detail);
  }
}

function* urlErrors(url: string, path: string): Generator<FieldError> {
  if (url === '*') return;
  if (!url.startsWith('/')) yield invalidField(path, url, "non-resource URL rules must begin with a '/' character");
  if (url.slice(0, -1).includes('*')) {
    yield invalidField(path, url, "non-resource URL wildcards '*' must be the final character of the rule");
  }
}

function* resourceErrors({ group, resources, resourceNames }: GroupResources, path: string): Generator<FieldError> {
  const problems = group === '' || group === '*' ? [] : nameRules.dnsSubdomain(group, false);
  if (problems.length > 0) yield invalidField(`${path}.group`, group, problems.join(','));
  if (resourceNames.length > 0 && resources.length === 0) {
    yield invalidField(
      `${path}.resourceNames`,
      [...resourceNames],
      'using resourceNames requires at least one resource',
    );
  }
}

function* stageErrors(stages: readonly AuditStage[], path: string): Generator<FieldError> {
  for (const [index, stage] of stages.entries()) {
    if (auditStages.includes(stage)) continue;
    yield invalidField(keyPath(path, index), stage, `allowed stages are ${auditStages.join(',')}`);
  }
}
