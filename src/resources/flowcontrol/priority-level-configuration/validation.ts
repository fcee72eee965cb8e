import { childPath, forbiddenField, invalidField, requiredField } from '../../../api/errors/field-error.ts';
import type * as flow from '../../../schema/kubernetes/generated/types/flowcontrol-v1.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { enumOrEmpty, type Errors, inRange } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';

// Priority levels. Declarative validation (unions by `type`) is reported last.

/** Mandatory levels. Of `exempt` the shares may be changed. */
const mandatoryLevels: { readonly [name: string]: flow.PriorityLevelConfigurationSpec } = {
  exempt: { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
  'catch-all': {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: 'Reject' } },
  },
};

const preserveZeroShares = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';

export function* priorityLevel({ metadata = {}, spec = {} }: flow.PriorityLevelConfiguration): Errors {
  if (Object.hasOwn(metadata.annotations ?? {}, preserveZeroShares)) {
    yield forbiddenField('metadata.annotations', `annotation '${preserveZeroShares}' is forbidden`);
  }
  yield* levelSpec(spec, metadata.name ?? '');
  yield* mandatoryLevel(spec, metadata.name ?? '');
  yield* union(spec, 'spec', { exempt: 'Exempt', limited: 'Limited' }, ['Limited']);
  if (spec.limited === undefined) return;
  yield* union(spec.limited.limitResponse ?? {}, 'spec.limited.limitResponse', { queuing: 'Queue' }, ['Queue']);
}

function* levelSpec({ type = '', exempt, limited }: flow.PriorityLevelConfigurationSpec, name: string): Errors {
  if ((name === 'exempt') !== (type === 'Exempt')) {
    yield invalidField('spec.type', type, "must be 'Exempt' if and only if `name` is 'exempt'");
  }
  if (type !== '') yield* enumOrEmpty(['Exempt', 'Limited'])(type, 'spec.type');
  if (type === 'Exempt' && exempt !== undefined) yield* shares(exempt, 'spec.exempt');
  if (type !== 'Limited' || limited === undefined) return;
  yield* nonNegativeShares(limited.nominalConcurrencyShares, 'spec.limited.nominalConcurrencyShares');
  yield* limitResponse(limited.limitResponse ?? {}, 'spec.limited.limitResponse');
  yield* lendable(limited.lendablePercent, 'spec.limited.lendablePercent');
  const { borrowingLimitPercent: borrowing = 0 } = limited;
  if (borrowing < 0) {
    yield invalidField('spec.limited.borrowingLimitPercent', borrowing, 'if specified, must be a non-negative integer');
  }
}

function* nonNegativeShares(value = 0, path: string): Errors {
  if (value < 0) yield invalidField(path, value, 'must be a non-negative integer');
}

const lendable = inRange(0, 100);

function* shares(level: flow.ExemptPriorityLevelConfiguration, path: string): Errors {
  yield* nonNegativeShares(level.nominalConcurrencyShares, childPath(path, 'nominalConcurrencyShares'));
  yield* lendable(level.lendablePercent, childPath(path, 'lendablePercent'));
}

function* limitResponse({ type = '', queuing }: flow.LimitResponse, path: string): Errors {
  if (type !== '') yield* enumOrEmpty(['Queue', 'Reject'])(type, childPath(path, 'type'));
  if (type === 'Queue' && queuing !== undefined) yield* queues(queuing, childPath(path, 'queuing'));
}

const maxQueues = 10_000_000;

const maxEntropyBits = 60;

function* queues(queuing: flow.QueuingConfiguration, path: string): Errors {
  const { queues: deck = 0, handSize: hand = 0, queueLengthLimit = 0 } = queuing;
  const positive = 'must be positive';
  if (queueLengthLimit <= 0) yield invalidField(childPath(path, 'queueLengthLimit'), queueLengthLimit, positive);
  if (deck <= 0) yield invalidField(childPath(path, 'queues'), deck, positive);
  else if (deck > maxQueues) {
    yield invalidField(childPath(path, 'queues'), deck, `must not be greater than ${maxQueues}`);
  }
  const handPath = childPath(path, 'handSize');
  if (hand <= 0) yield invalidField(handPath, hand, positive);
  else if (hand > deck) yield invalidField(handPath, hand, `should not be greater than queues (${deck})`);
  else if (Math.ceil(Math.log2(deck) * hand) > maxEntropyBits) {
    const detail = `required entropy bits of deckSize ${deck} and handSize ${hand} should not be greater than ${maxEntropyBits}`;
    yield invalidField(handPath, hand, detail);
  }
}

function* mandatoryLevel(spec: flow.PriorityLevelConfigurationSpec, name: string): Errors {
  if (!Object.hasOwn(mandatoryLevels, name)) return;
  const exempt = name === 'exempt';
  const wanted = { ...mandatoryLevels[name], ...(exempt ? { exempt: spec.exempt } : {}) };
  if (sameValue(spec, wanted)) return;
  const except = exempt ? " except the 'spec.exempt' field" : '';
  const value = internalValue('flowcontrol.PriorityLevelConfigurationSpec', spec);
  yield invalidField('spec', value, `spec of '${name}'${except} must equal the fixed value`);
}

/** Union members, each for one `type`: others are forbidden, those of `mandatory` types required. */
function* union(
  value: { readonly type?: string },
  path: string,
  members: { readonly [member: string]: string },
  mandatory: readonly string[],
): Errors {
  const { type = '' } = value;
  for (const [member, owner] of Object.entries(members)) {
    const present = Object.hasOwn(value, member);
    if (type !== owner && present) yield forbiddenField(childPath(path, member), '');
    if (type === owner && !present && mandatory.includes(owner)) yield requiredField(childPath(path, member));
  }
  if (type === '') yield requiredField(childPath(path, 'type'));
}
