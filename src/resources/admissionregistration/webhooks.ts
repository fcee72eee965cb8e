import {
  childPath,
  duplicateField,
  type FieldError,
  invalidField,
  keyPath,
  requiredField,
} from '../../api/errors/field-error.ts';
import { allOf } from '../../api/errors/findings.ts';
import { dns1035LabelErrors, dnsSubdomainErrors } from '../../api/meta/names.ts';
import type * as admission from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import type { LabelSelector } from '../../schema/kubernetes/generated/types/meta-v1.ts';
import type { StrategyOf } from '../define-kind.ts';
import type { KindChecks } from '../kind-checks.ts';
import type { KindEnvironment } from '../kind-environment.ts';
import { repetitions } from '../parts/rules/repetitions.ts';
import { each, type Errors, formErrors, oneOf } from '../parts/rules/rules.ts';
import { sameValue } from '../parts/rules/same-value.ts';
import { labelSelector } from '../parts/selectors/label-selectors.ts';
import { webhookService, webhookUrl } from '../parts/webhook-clients.ts';
import { compiledAs, expressionChecks } from './expressions.ts';
import { matchConditions, ruleWithOperations } from './rules.ts';
import { noStaticName } from './static-names.ts';

export type WebhookConfiguration = admission.MutatingWebhookConfiguration | admission.ValidatingWebhookConfiguration;
type Webhook = admission.MutatingWebhook & admission.ValidatingWebhook;

/** Checks that an update skips because the stored object already fails them. */
interface Leniency {
  readonly unchangedConditions: boolean;
  /** Expressions that are stored already. */
  readonly knownConditions: ReadonlySet<string>;
  readonly anySideEffects: boolean;
  readonly anyReviewVersion: boolean;
  readonly repeatedNames: boolean;
  readonly anySelectorValue: boolean;
}

const none: Leniency = {
  unchangedConditions: false,
  knownConditions: new Set(),
  anySideEffects: false,
  anyReviewVersion: false,
  repeatedNames: false,
  anySelectorValue: false,
};

export function webhooks(configuration: WebhookConfiguration): Errors {
  return configurationErrors(configuration, none);
}

function webhooksUpdate(configuration: WebhookConfiguration, old: WebhookConfiguration): Errors {
  const before = hooksOf(old);
  const now = hooksOf(configuration);
  const names = before.map(({ name = '' }) => name);
  return configurationErrors(configuration, {
    unchangedConditions:
      now.length === before.length &&
      before.every((hook, index) => sameValue(hook.matchConditions, now[index]?.matchConditions)),
    knownConditions: new Set(before.flatMap(conditionsOf).map(({ expression = '' }) => expression)),
    anySideEffects: !before.every(({ sideEffects = '' }) => harmless.includes(sideEffects)),
    anyReviewVersion: before.some(
      ({ admissionReviewVersions: versions = [] }) => versions.length > 0 && !versions.some(isKnownVersion),
    ),
    repeatedNames: new Set(names).size < names.length,
    anySelectorValue: before.some((hook) => allOf(selectors(hook, '')).length > 0),
  });
}

function conditionsOf({ matchConditions: conditions = [] }: Webhook): readonly admission.MatchCondition[] {
  return conditions;
}

function hooksOf(configuration: WebhookConfiguration): readonly Webhook[] {
  return configuration.webhooks ?? [];
}

function* configurationErrors(configuration: WebhookConfiguration, leniency: Leniency): Errors {
  const hooks = hooksOf(configuration);
  const isRepeated = repetitions();
  for (const [index, hook] of hooks.entries()) {
    const path = keyPath('webhooks', index);
    yield* webhook(hook, path, leniency);
    if (!leniency.unchangedConditions) {
      const { knownConditions } = leniency;
      yield* matchConditions(hook.matchConditions, childPath(path, 'matchConditions'), (expression, at) =>
        expressionChecks(configuration).condition(at, expression, { isStored: knownConditions.has(expression) }),
      );
    }
    yield* reviewVersions(hook.admissionReviewVersions ?? [], childPath(path, 'admissionReviewVersions'), leniency);
    const { name = '' } = hook;
    if (isRepeated(name) && name !== '' && !leniency.repeatedNames) yield duplicateField(childPath(path, 'name'), name);
  }
}

const harmless = ['None', 'NoneOnDryRun'];
const allSideEffects = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];

function* webhook(hook: Webhook, path: string, leniency: Leniency): Errors {
  yield* qualifiedHookName(hook.name ?? '', childPath(path, 'name'));
  yield* each(ruleWithOperations)(hook.rules, childPath(path, 'rules'));
  yield* oneOf(['Fail', 'Ignore'])(hook.failurePolicy, childPath(path, 'failurePolicy'));
  yield* oneOf(['Equivalent', 'Exact'])(hook.matchPolicy, childPath(path, 'matchPolicy'));
  const effects = leniency.anySideEffects ? allSideEffects : harmless;
  const effectsPath = childPath(path, 'sideEffects');
  if (hook.sideEffects === undefined) yield requiredField(effectsPath, `must specify one of ${effects.join(', ')}`);
  yield* oneOf(effects)(hook.sideEffects, effectsPath);
  const { timeoutSeconds: timeout } = hook;
  if (timeout !== undefined && (timeout > 30 || timeout < 1)) {
    const detail = 'the timeout value must be between 1 and 30 seconds';
    yield invalidField(childPath(path, 'timeoutSeconds'), timeout, detail);
  }
  for (const error of selectors(hook, path)) {
    if (!leniency.anySelectorValue || !isSelectorValue(error)) yield error;
  }
  yield* oneOf(['IfNeeded', 'Never'])(hook.reinvocationPolicy, childPath(path, 'reinvocationPolicy'));
  yield* client(hook.clientConfig ?? {}, childPath(path, 'clientConfig'));
}

/** Webhook names must be fully qualified. */
function* qualifiedHookName(name: string, path: string): Errors {
  if (name === '') return yield requiredField(path);
  const texts = dnsSubdomainErrors(name);
  if (texts.length > 0) yield invalidField(path, name, texts.join(','));
  else if (name.split('.').length < 3) {
    yield invalidField(path, name, 'should be a domain with at least three segments separated by dots');
  }
}

function* selectors(hook: Webhook, path: string): Errors {
  const named: readonly (readonly [string, LabelSelector | undefined])[] = [
    ['namespaceSelector', hook.namespaceSelector],
    ['objectSelector', hook.objectSelector],
  ];
  for (const [name, selector] of named) yield* labelSelector(selector, childPath(path, name));
}

function isSelectorValue({ field }: FieldError): boolean {
  return /\.matchExpressions\[\d+\]\.values\[\d+\]$/.test(field);
}

function* client({ url, service }: admission.WebhookClientConfig, path: string): Errors {
  if ((url === undefined) === (service === undefined)) {
    yield requiredField(path, 'exactly one of url or service is required');
  } else if (url !== undefined) yield* webhookUrl(url, childPath(path, 'url'));
  else if (service !== undefined) yield* webhookService(service, childPath(path, 'service'));
}

const knownVersions: readonly string[] = ['v1', 'v1beta1'];
const isKnownVersion = (version: string): boolean => knownVersions.includes(version);

function* reviewVersions(versions: readonly string[], path: string, { anyReviewVersion }: Leniency): Errors {
  const known = knownVersions.join(', ');
  if (versions.length === 0) return yield requiredField(path, `must specify one of ${known}`);
  const isRepeated = repetitions();
  for (const [index, version] of versions.entries()) {
    const itemPath = keyPath(path, index);
    if (isRepeated(version)) yield invalidField(itemPath, version, 'duplicate version');
    else yield* formErrors(itemPath, version, dns1035LabelErrors(version));
  }
  if (!anyReviewVersion && !versions.some(isKnownVersion)) {
    yield invalidField(path, [...versions], `must include at least one of ${known}`);
  }
}

/** The strategy of webhook configurations of both kinds. */
export function webhookStrategy({ release }: KindEnvironment): StrategyOf<WebhookConfiguration & object> {
  return {
    generation: 'spec',
    requireResourceVersion: true,
    ...compiledAs(release, (configuration) => hooksOf(configuration).flatMap(conditionsOf).length > 0),
  };
}

export const webhookConfigurationChecks: KindChecks<WebhookConfiguration> = {
  create: function* (configuration) {
    yield* webhooks(configuration);
    yield* noStaticName(configuration);
  },
  update: webhooksUpdate,
  anyFinalizer: true,
};
