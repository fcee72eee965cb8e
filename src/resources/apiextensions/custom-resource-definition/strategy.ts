import { loadGoRegexp } from '../../../api/go/go-regexp.ts';
import { nameRules } from '../../../api/meta/names.ts';
import { ruleTimes } from '../../../cel/rules/rule-times.ts';
import { minorOf, releaseBefore } from '../../../schema/kubernetes/feature-gates.ts';
import type { CustomResourceDefinition } from '../../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import type { StrategyOf } from '../../define-kind.ts';
import type { KindEnvironment } from '../../kind-environment.ts';
import { readyForRules } from './rule-validators.ts';

/** Adds the storage version to `status.storedVersions`. */
function keepStored(definition: CustomResourceDefinition): void {
  const stored = definition.spec?.versions?.find(({ storage }) => storage === true);
  const { storedVersions = [], ...status } = definition.status ?? {};
  const name = stored?.name ?? '';
  if (stored === undefined || storedVersions.includes(name)) return;
  definition.status = { ...status, storedVersions: [...storedVersions, name] };
}

/** An empty webhook conversion is dropped. */
function dropEmptyWebhook({ spec }: CustomResourceDefinition): void {
  const { webhook } = spec?.conversion ?? {};
  if (webhook === undefined || webhook.clientConfig !== undefined || webhook.conversionReviewVersions !== undefined)
    return;
  delete spec?.conversion?.webhook;
}

const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

/** The instances are deleted before this finalizer is removed. */
function markForCleanup(definition: CustomResourceDefinition): void {
  const { metadata = {} } = definition;
  const { finalizers = [], deletionTimestamp = '' } = metadata;
  if (!finalizers.includes(cleanupFinalizer)) metadata.finalizers = [...finalizers, cleanupFinalizer];
  const { conditions = [], ...status } = definition.status ?? {};
  const others = conditions.filter(({ type }) => type !== 'Terminating');
  const terminating = {
    lastTransitionTime: deletionTimestamp,
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    reason: 'InstanceDeletionPending',
    status: 'True',
    type: 'Terminating',
  };
  definition.status = { ...status, conditions: [...others, terminating] };
}

/**
 * Loads what schema validation needs: schemas may have patterns and rules. New rules must be understood by the previous
 * release.
 */
function loadedRules({
  release,
  metric,
}: KindEnvironment): Pick<StrategyOf<CustomResourceDefinition>, 'beginCreate' | 'beginUpdate'> {
  const minor = minorOf(releaseBefore(release));
  const times = ruleTimes(metric);
  const begin = async (definition: CustomResourceDefinition, old?: CustomResourceDefinition): Promise<undefined> => {
    await Promise.all([loadGoRegexp(), readyForRules(definition, old, { minor, times })]);
  };
  return {
    beginCreate: (definition) => begin(definition),
    beginUpdate: (definition, old) => begin(definition, old),
  };
}

function nameErrors(name: string, prefix: boolean, { spec }: Readonly<CustomResourceDefinition>): readonly string[] {
  const expected = `${spec?.names?.plural ?? ''}.${spec?.group ?? ''}`;
  const wrong = name === expected ? [] : ['must be spec.names.plural+"."+spec.group'];
  return [...nameRules.dnsSubdomain(name, prefix), ...wrong];
}

const strategy: StrategyOf<CustomResourceDefinition> = {
  generation: 'spec',
  requireResourceVersion: true,
  nameRule: nameErrors,
  tellsRepetitions: true,
  revalidatesMetadata: 'once',
  knownNameRule: nameRules.pathSegment,
  prepareForCreate(definition) {
    definition.status = {};
    keepStored(definition);
    dropEmptyWebhook(definition);
  },
  prepareForUpdate(definition) {
    keepStored(definition);
    dropEmptyWebhook(definition);
  },
  // Its instances go first, whoever else depends on it.
  garbageCollection: 'unsupported',
  finalization: {
    // A second deletion is like that of any other object: it adds a grace period of zero.
    isHeld: () => false,
    begin: markForCleanup,
    failedPrecondition: 'precondition failed',
  },
};

export function definitionStrategy(environment: KindEnvironment): StrategyOf<CustomResourceDefinition> {
  return { ...strategy, ...loadedRules(environment) };
}
