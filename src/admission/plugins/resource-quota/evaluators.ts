import type { StoredCollection } from '../../../api/contracts/stored-objects.ts';
import { TextCache } from '../../../api/text/text-cache.ts';
import { deviceClaimEvaluator } from './device-claim-evaluator.ts';
import { countName, type Evaluator, noScopes } from './evaluator.ts';
import { podEvaluator } from './pod-evaluator.ts';
import { serviceEvaluator } from './service-evaluator.ts';
import { volumeClaimEvaluator } from './volume-claim-evaluator.ts';

/** Kinds of which more is counted than objects. */
const special: readonly Evaluator[] = [podEvaluator, serviceEvaluator, volumeClaimEvaluator, deviceClaimEvaluator];

/** Kinds whose objects were counted under a name of their own before there was one for every kind. */
const oldNames = ['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'];

const keyOf = ({ group, plural }: Pick<StoredCollection, 'group' | 'plural'>): string => `${group}/${plural}`;

const specialByKey = new Map(special.map((evaluator) => [keyOf(evaluator.collection), evaluator]));

/** Quotas take no notice of events, nor of what is answered without a store. */
const ignored: ReadonlySet<string> = new Set([
  '/bindings',
  '/componentstatuses',
  '/events',
  'events.k8s.io/events',
  'authentication.k8s.io/tokenreviews',
  'authentication.k8s.io/selfsubjectreviews',
  ...['subjectaccessreviews', 'selfsubjectaccessreviews', 'localsubjectaccessreviews', 'selfsubjectrulesreviews'].map(
    (plural) => `authorization.k8s.io/${plural}`,
  ),
]);

/** Definitions come and go. */
const counters = new TextCache<Evaluator>(50_000);

/** How objects of a kind count; undefined: not at all. */
export function evaluatorOf(collection: StoredCollection): Evaluator | undefined {
  const key = keyOf(collection);
  if (ignored.has(key)) return undefined;
  return specialByKey.get(key) ?? counters.remember(key, () => counter(collection));
}

/** Counts objects, whatever they are. */
function counter(collection: StoredCollection): Evaluator {
  const isOld = collection.group === '' && oldNames.includes(collection.plural);
  const names = [countName(collection), ...(isOld ? [collection.plural] : [])];
  const usage = { amounts: new Map(names.map((name) => [name, '1'])), scopes: noScopes };
  return {
    collection,
    handles: ({ operation, subresource }) => operation === 'CREATE' && subresource === '',
    counts: (name) => names.includes(name),
    constant: usage,
    usageOf: () => usage,
  };
}
