import { loadGoRegexp } from '../../../api/go-regexp.ts';
import { currentRelease } from '../../../schema/kubernetes/api-enablement.ts';
import { releaseBefore } from '../../../schema/kubernetes/feature-gates.ts';
import type { CustomResourceDefinition } from '../../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import type { StrategyOf } from '../../define-kind.ts';
import { readyForRules } from './judged-rules.ts';

/** The version that objects are stored in is one of those that they may be stored in. */
function keepStored(definition: CustomResourceDefinition): void {
  const stored = definition.spec?.versions?.find(({ storage }) => storage === true);
  const { storedVersions = [], ...status } = definition.status ?? {};
  const name = stored?.name ?? '';
  if (stored === undefined || storedVersions.includes(name)) return;
  definition.status = { ...status, storedVersions: [...storedVersions, name] };
}

/** A webhook of which nothing is said is none. */
function dropEmptyWebhook({ spec }: CustomResourceDefinition): void {
  const { webhook } = spec?.conversion ?? {};
  if (webhook === undefined || webhook.clientConfig !== undefined || webhook.conversionReviewVersions !== undefined)
    return;
  delete spec?.conversion?.webhook;
}

const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

/** Whoever serves the definition deletes its instances before he takes the finalizer away. */
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

/** Loads what schemas are judged with: they may have patterns and rules. New rules are such that the release before understands them. */
export function judgedAs(release: string): Pick<StrategyOf<CustomResourceDefinition>, 'beginCreate' | 'beginUpdate'> {
  const minor = Number(releaseBefore(release).split('.')[1]);
  const begin = async (definition: CustomResourceDefinition, old?: CustomResourceDefinition): Promise<undefined> => {
    await Promise.all([loadGoRegexp(), readyForRules(definition, old, minor)]);
  };
  return {
    beginCreate: (definition) => begin(definition),
    beginUpdate: (definition, old) => begin(definition, old),
  };
}

export const definitionStrategy: StrategyOf<CustomResourceDefinition> = {
  generation: 'spec',
  requireResourceVersion: true,
  ...judgedAs(currentRelease),
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
    isHeld: ({ metadata }) => (metadata?.finalizers ?? []).length > 0,
    begin: markForCleanup,
  },
};
