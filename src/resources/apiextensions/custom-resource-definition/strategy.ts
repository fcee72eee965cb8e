import { loadGoRegexp } from '../../../api/go-regexp.ts';
import type { CustomResourceDefinition } from '../../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import type { StrategyOf } from '../../define-kind.ts';

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

/** Schemas may have patterns. */
async function readyForPatterns(): Promise<undefined> {
  await loadGoRegexp();
}

export const definitionStrategy: StrategyOf<CustomResourceDefinition> = {
  generation: 'spec',
  requireResourceVersion: true,
  beginCreate: readyForPatterns,
  beginUpdate: readyForPatterns,
  prepareForCreate(definition) {
    definition.status = {};
    keepStored(definition);
    dropEmptyWebhook(definition);
  },
  prepareForUpdate(definition) {
    keepStored(definition);
    dropEmptyWebhook(definition);
  },
};
