import { isDeepStrictEqual } from 'node:util';
import type { AdmissionAttributes, AdmissionPlugin } from '../api/admission.ts';
import { goQuote } from '../api/go-quote.ts';
import type { KubernetesObject } from '../api/object.ts';
import { invalid } from '../api/status-errors.ts';
import type { CronJob } from '../schema/kubernetes/generated/types/batch-v1.ts';
import type { Container, Pod, PodTemplate, PodTemplateSpec } from '../schema/kubernetes/generated/types/core-v1.ts';
import type { PluginContext } from './plugin-context.ts';
import { violationsOf } from './pod-security/checks.ts';
import { existingPodWarnings } from './pod-security/existing-pods.ts';
import { compareLevels, formatLevel, type LevelVersion, policyOf, type ReadPolicy } from './pod-security/policy.ts';
import type { JudgedPod, Violation } from './pod-security/violation.ts';
import { refusal } from './refusal.ts';
import type { StoredObjects } from '../api/stored-objects.ts';

const namespaces = { group: '', version: 'v1', plural: 'namespaces' };
const pods = { group: '', version: 'v1', plural: 'pods' };

type TemplateOf = (object: KubernetesObject) => PodTemplateSpec | undefined;

/** Objects are decoded by the schema of their resource. */
const ofSpec: TemplateOf = (object) =>
  (object as { readonly spec?: { readonly template?: PodTemplateSpec } }).spec?.template;

/** Path of the pod template in workload kinds, by `group/resource`. */
const templates: { readonly [resource: string]: TemplateOf } = {
  '/replicationcontrollers': ofSpec,
  '/podtemplates': (object) => (object as PodTemplate).template,
  'apps/replicasets': ofSpec,
  'apps/deployments': ofSpec,
  'apps/daemonsets': ofSpec,
  'apps/statefulsets': ofSpec,
  'batch/jobs': ofSpec,
  'batch/cronjobs': (object) => (object as CronJob).spec?.jobTemplate?.spec?.template,
};

/** Subresources of pods that cannot affect the evaluation. */
const ignoredSubresources: ReadonlySet<string> = new Set([
  ...['exec', 'attach', 'binding', 'eviction', 'log', 'portforward', 'proxy', 'status'],
]);

type Judge = (pod: JudgedPod, level: LevelVersion) => Promise<readonly Violation[]>;

/** Enforces the Pod Security Standard that the labels of the namespace select (KEP-2579). */
export function podSecurity({ stored, release }: Pick<PluginContext, 'stored' | 'release'>): AdmissionPlugin {
  const newest = Number(release.split('.')[1]);
  const judge: Judge = (pod, { level, version }) =>
    violationsOf(pod, level, version === 'latest' ? newest : Math.min(version, newest));
  return {
    name: 'PodSecurity',
    operations: new Set(['CREATE', 'UPDATE']),
    async validate(attributes) {
      const { group, resource, subresource } = attributes;
      if (group === '' && resource === 'namespaces') {
        if (subresource === '') await judgeNamespace(attributes, stored, judge);
      } else if (group === '' && resource === 'pods') {
        if (!ignoredSubresources.has(subresource)) await judgePod(attributes, stored, judge);
      } else if (subresource === '') await judgeTemplate(attributes, stored, judge);
    },
  };
}

async function policyFor({ namespace }: AdmissionAttributes, stored: StoredObjects): Promise<ReadPolicy> {
  const found = await stored.get(namespaces, { namespace: '', name: namespace });
  return policyOf(found?.metadata.labels);
}

async function judgePod(attributes: AdmissionAttributes, stored: StoredObjects, judge: Judge): Promise<void> {
  const { policy } = await policyFor(attributes, stored);
  const { enforce, warn } = policy;
  if (enforce.level === 'privileged' && warn.level === 'privileged') return;
  const pod = attributes.object as Pod; // decoded by the schema of pods
  if (attributes.operation === 'UPDATE' && !isSignificant(pod, attributes.oldObject as Pod)) return;
  const violations = await judge(pod, enforce);
  if (violations.length > 0) {
    throw refusal(attributes, `violates PodSecurity ${goQuote(formatLevel(enforce))}: ${told(violations)}`);
  }
  warnOf(attributes, await judge(pod, warn), warn);
}

async function judgeTemplate(attributes: AdmissionAttributes, stored: StoredObjects, judge: Judge): Promise<void> {
  const { group, resource, object } = attributes;
  const template = object === undefined ? undefined : templates[`${group}/${resource}`]?.(object);
  if (template === undefined) return;
  const { warn } = (await policyFor(attributes, stored)).policy;
  if (warn.level !== 'privileged') warnOf(attributes, await judge(template, warn), warn);
}

function warnOf(attributes: AdmissionAttributes, violations: readonly Violation[], level: LevelVersion): void {
  if (violations.length === 0) return;
  attributes.warn(`would violate PodSecurity ${goQuote(formatLevel(level))}: ${told(violations)}`);
}

function told(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');
}

/** Labels must be valid unless they were invalid before; a stricter level yields warnings about existing pods. */
async function judgeNamespace(attributes: AdmissionAttributes, stored: StoredObjects, judge: Judge): Promise<void> {
  const { object, oldObject, operation, name } = attributes;
  const now = policyOf(object?.metadata.labels);
  const before = policyOf(oldObject?.metadata.labels);
  const isNew = operation === 'CREATE' || before.errors.length === 0 || !isDeepStrictEqual(now.errors, before.errors);
  if (now.errors.length > 0 && isNew) throw invalid({ group: '', kind: 'Namespace' }, name, now.errors);
  const { enforce } = now.policy;
  if (operation === 'CREATE' || !isStricter(enforce, before.policy.enforce)) return;
  const found = (await stored.scan(pods, name)) as readonly (KubernetesObject & Pod)[]; // decoded by the schema of pods
  const warnings = await existingPodWarnings(found, { namespace: name, level: enforce, judge });
  for (const text of warnings) attributes.warn(text);
}

function isStricter(enforce: LevelVersion, before: LevelVersion): boolean {
  if (enforce.level === 'privileged') return false;
  return enforce.version !== before.version || compareLevels(enforce.level, before.level) > 0;
}

/** Of what is evaluated, updates can change images and ephemeral containers only. */
function isSignificant({ spec = {} }: Pod, { spec: old = {} }: Pod): boolean {
  const lists = (['containers', 'initContainers'] as const).map((list) => [spec[list] ?? [], old[list] ?? []] as const);
  if (lists.some(([now, before]) => now.length !== before.length)) return true;
  const changed = (container: Container, before: Container | undefined): boolean => container.image !== before?.image;
  if (lists.some(([now, before]) => now.some((container, index) => changed(container, before[index])))) return true;
  const ephemeral = new Map((old.ephemeralContainers ?? []).map((container) => [container.name, container]));
  return (spec.ephemeralContainers ?? []).some((container) => {
    const before = ephemeral.get(container.name);
    return before === undefined || changed(container, before);
  });
}
