import { isDeepStrictEqual } from 'node:util';
import type { AdmissionAttributes, AdmissionPlugin } from '../../../api/contracts/admission.ts';
import { joinedErrors } from '../../../api/text/error-texts.ts';
import { fieldErrorText } from '../../../api/errors/field-error.ts';
import { goQuote } from '../../../api/go/go-quote.ts';
import type { KubernetesObject } from '../../../api/meta/object.ts';
import { soon, type Soon } from '../../../api/scheduling/soon.ts';
import { invalid } from '../../../api/errors/status-errors.ts';
import type { CronJob } from '../../../schema/kubernetes/generated/types/batch-v1.ts';
import type {
  Container,
  Pod,
  PodTemplate,
  PodTemplateSpec,
} from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { minorOf } from '../../../schema/kubernetes/feature-gates.ts';
import type { PluginContext } from '../../plugin-context.ts';
import { violationsOf } from './checks.ts';
import { existingPodWarnings } from './existing-pods.ts';
import { PodSecurityMetrics } from './metrics.ts';
import {
  compareLevels,
  formatRequested,
  formatLevel,
  isPrivileged,
  type LevelVersion,
  policyOf,
  privilegedPolicy,
  type ReadPolicy,
} from './policy.ts';
import { type PodSecuritySettings, usualSettings } from './settings.ts';
import type { EvaluatedPod, Violation } from './violation.ts';
import { refusal } from '../../refusal.ts';
import type { StoredObjects } from '../../../api/contracts/stored-objects.ts';

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
  'exec',
  'attach',
  'binding',
  'eviction',
  'log',
  'portforward',
  'proxy',
  'status',
]);

type EvaluatePod = (pod: EvaluatedPod, level: LevelVersion) => readonly Violation[];

interface Context {
  readonly stored: StoredObjects;
  readonly evaluatePod: EvaluatePod;
  readonly settings: PodSecuritySettings;
  readonly metrics: PodSecurityMetrics;
}

const annotationPrefix = 'pod-security.kubernetes.io/';

/** Enforces the Pod Security Standard that the labels of the namespace, or the defaults, select (KEP-2579). */
export function podSecurity(
  { stored, release, metric }: Pick<PluginContext, 'stored' | 'release' | 'metric'>,
  settings: PodSecuritySettings = usualSettings,
): AdmissionPlugin {
  const newest = minorOf(release);
  const evaluatePod: EvaluatePod = (pod, { level, version }) =>
    violationsOf(pod, level, version === 'latest' ? newest : Math.min(version, newest));
  const context: Context = { stored, evaluatePod, settings, metrics: new PodSecurityMetrics({ metric }, newest) };
  return {
    name: 'PodSecurity',
    operations: new Set(['CREATE', 'UPDATE']),
    validate(attributes) {
      const { group, resource, subresource } = attributes;
      if (group === '' && resource === 'namespaces') {
        if (subresource === '') return validateNamespace(attributes, context);
      } else if (group === '' && resource === 'pods') {
        if (!ignoredSubresources.has(subresource)) return validatePod(attributes, context);
      } else if (subresource === '') return validateTemplate(attributes, context);
    },
  };
}

function policyFor({ namespace }: AdmissionAttributes, { stored, settings }: Context): Soon<ReadPolicy> {
  return soon(stored.get(namespaces, { namespace: '', name: namespace }), (found) =>
    policyOf(found?.metadata.labels, settings.defaults),
  );
}

/** What exempts a write, as annotations call it. */
type Exemption = 'namespace' | 'user' | 'runtimeClass';

function exemptionOf({ namespace, user }: AdmissionAttributes, { settings: { exempt } }: Context) {
  if (exempt.namespaces.has(namespace)) return 'namespace';
  return exempt.usernames.has(user.name) ? 'user' : undefined;
}

/** Whether the request is exempt; records the exemption. */
function isExempt(attributes: AdmissionAttributes, exemption: Exemption | undefined, { metrics }: Context): boolean {
  if (exemption === undefined) return false;
  metrics.exempted(attributes);
  attributes.annotate(`${annotationPrefix}exempt`, () => exemption);
  return true;
}

async function validatePod(attributes: AdmissionAttributes, context: Context): Promise<void> {
  if (isExempt(attributes, exemptionOf(attributes, context), context)) return;
  const read = await policyFor(attributes, context);
  const { enforce } = read.policy;
  if (read.errors.length === 0 && isPrivileged(read.policy)) {
    context.metrics.evaluated(attributes, 'enforce', enforce, false);
    annotateEnforced(attributes, privilegedPolicy.enforce);
    return;
  }
  const pod = attributes.object as Pod; // decoded by the schema of pods
  if (attributes.operation === 'UPDATE' && !isSignificant(pod, attributes.oldObject as Pod)) return;
  evaluate(attributes, { pod, read, isEnforced: true }, context);
}

async function validateTemplate(attributes: AdmissionAttributes, context: Context): Promise<void> {
  const { group, resource, object } = attributes;
  const templateOf = templates[`${group}/${resource}`];
  if (object === undefined || templateOf === undefined) return;
  if (isExempt(attributes, exemptionOf(attributes, context), context)) return;
  const read = await policyFor(attributes, context);
  const { warn, audit } = read.policy;
  if (read.errors.length === 0 && warn.level === 'privileged' && audit.level === 'privileged') return;
  const pod = templateOf(object);
  if (pod !== undefined) evaluate(attributes, { pod, read, isEnforced: false }, context);
}

interface Evaluated {
  readonly pod: EvaluatedPod;
  readonly read: ReadPolicy;
  /** False for templates: only their pods are refused. */
  readonly isEnforced: boolean;
}

function evaluate(
  attributes: AdmissionAttributes,
  { pod, read: { policy, errors }, isEnforced }: Evaluated,
  context: Context,
): void {
  const { metrics } = context;
  const isExemptClass = context.settings.exempt.runtimeClasses.has(pod.spec?.runtimeClassName ?? '');
  if (isExempt(attributes, isExemptClass ? 'runtimeClass' : undefined, context)) return;
  if (errors.length > 0) {
    attributes.annotate(
      `${annotationPrefix}error`,
      () => `Failed to parse policy: ${joinedErrors(errors.map(fieldErrorText))}`,
    );
    metrics.mislabelled(attributes);
  }
  const violationsAt = violationsByLevel(pod, context.evaluatePod);
  const { enforce, audit, warn } = policy;
  const violations = isEnforced ? violationsAt(enforce) : [];
  const isDenied = violations.length > 0;
  if (isEnforced) {
    annotateEnforced(attributes, enforce);
    metrics.evaluated(attributes, 'enforce', enforce, isDenied);
  }
  const audited = violationsAt(audit);
  if (audited.length > 0) {
    attributes.annotate(
      `${annotationPrefix}audit-violations`,
      () => `would violate ${levelText(audit)}: ${violationText(audited)}`,
    );
    metrics.evaluated(attributes, 'audit', audit, true);
  }
  if (isDenied) throw refusal(attributes, `violates ${levelText(enforce)}: ${violationText(violations)}`);
  const warned = violationsAt(warn);
  if (warned.length === 0) return;
  attributes.warn(`would violate ${levelText(warn)}: ${violationText(warned)}`);
  metrics.evaluated(attributes, 'warn', warn, true);
}

function annotateEnforced(attributes: AdmissionAttributes, level: LevelVersion): void {
  attributes.annotate(`${annotationPrefix}enforce-policy`, () => formatLevel(level));
}

/** Each level is evaluated once, though modes may share it. */
function violationsByLevel(pod: EvaluatedPod, evaluatePod: EvaluatePod): (level: LevelVersion) => readonly Violation[] {
  const results = new Map<string, readonly Violation[]>();
  return (level) => {
    if (level.level === 'privileged') return [];
    const key = formatLevel(level);
    const result = results.get(key) ?? evaluatePod(pod, level);
    results.set(key, result);
    return result;
  };
}

/** `PodSecurity "baseline:latest"` */
function levelText(level: LevelVersion): string {
  return `PodSecurity ${goQuote(formatLevel(level))}`;
}

function violationText(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');
}

/** Labels must be valid unless they were invalid before; a stricter level yields warnings about existing pods. */
async function validateNamespace(
  attributes: AdmissionAttributes,
  { stored, evaluatePod, settings }: Context,
): Promise<void> {
  const { object, oldObject, operation, name } = attributes;
  const labels = object?.metadata.labels ?? {};
  const now = policyOf(labels, settings.defaults);
  const before = policyOf(oldObject?.metadata.labels, settings.defaults);
  const isNew = operation === 'CREATE' || before.errors.length === 0 || !isDeepStrictEqual(now.errors, before.errors);
  if (now.errors.length > 0 && isNew) throw invalid({ group: '', kind: 'Namespace' }, name, now.errors);
  const { enforce } = now.policy;
  if (operation === 'UPDATE' && !isStricter(enforce, before.policy.enforce)) return;
  if (settings.exempt.namespaces.has(name)) {
    if (isPrivileged(now.policy) || isDeepStrictEqual(now.policy, settings.defaults)) return;
    const requested = formatRequested(now.policy, labels);
    attributes.warn(
      `namespace ${goQuote(name)} is exempt from Pod Security, and the policy (${requested}) will be ignored`,
    );
  } else if (operation === 'UPDATE') {
    const found = stored.scan(pods, name) as AsyncIterable<KubernetesObject & Pod>; // stored under the schema of pods
    const { runtimeClasses } = settings.exempt;
    const isExempt = ({ spec }: Pod): boolean => runtimeClasses.has(spec?.runtimeClassName ?? '');
    const warnings = await existingPodWarnings(found, { namespace: name, level: enforce, isExempt, evaluatePod });
    for (const text of warnings) attributes.warn(text);
  }
}

function isStricter(enforce: LevelVersion, before: LevelVersion): boolean {
  if (enforce.level === 'privileged') return false;
  return enforce.version !== before.version || compareLevels(enforce.level, before.level) > 0;
}

/** Whether an update must be evaluated: only changes to images and ephemeral containers can matter. */
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
