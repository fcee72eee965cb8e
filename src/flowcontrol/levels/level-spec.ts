import type { KubernetesObject } from '../../api/meta/object.ts';
import type { PriorityLevelConfiguration } from '../../schema/kubernetes/generated/types/flowcontrol-v1.ts';
import type { QueueSetMode } from '../queueing/queue-set.ts';
import { deckFault } from '../queueing/shuffle-dealer.ts';

/** A PriorityLevelConfiguration as flow control uses it. */
export interface LevelSpec {
  readonly name: string;
  readonly uid: string;
  readonly mode: QueueSetMode;
  readonly shares: number;
  readonly lendablePercent: number;
  /** Undefined: as much as there is. */
  readonly borrowingLimitPercent: number | undefined;
}

export const exemptName = 'exempt';
export const catchAllName = 'catch-all';

/** Undefined if it contradicts itself: objects written before a check existed are treated as missing. */
export function levelSpecOf(
  object: Pick<KubernetesObject, 'metadata'> & PriorityLevelConfiguration,
): LevelSpec | undefined {
  const { metadata, spec = {} } = object;
  const { name = '', uid = '' } = metadata;
  const { type, limited, exempt } = spec;
  const isExempt = type === 'Exempt';
  if (isExempt !== (exempt !== undefined) || isExempt !== (name === exemptName)) return undefined;
  if ((type === 'Limited') !== (limited !== undefined)) return undefined;
  const mode = isExempt ? 'exempt' : modeOf(limited?.limitResponse);
  if (mode === undefined) return undefined;
  const { nominalConcurrencyShares: shares = 0, lendablePercent = 0 } = limited ?? exempt ?? {};
  const borrowingLimitPercent = isExempt ? undefined : limited?.borrowingLimitPercent;
  return { name, uid, mode, shares, lendablePercent, borrowingLimitPercent };
}

type LimitResponse = NonNullable<NonNullable<PriorityLevelConfiguration['spec']>['limited']>['limitResponse'];

function modeOf(response: LimitResponse = {}): QueueSetMode | undefined {
  const { type, queuing } = response;
  if (queuing === undefined) return type === 'Reject' ? 'reject' : undefined;
  const { queues = 0, handSize = 0, queueLengthLimit = 0 } = queuing;
  if (type === 'Reject' || deckFault({ queues, handSize }) !== undefined) return undefined;
  return { queues, handSize, queueLengthLimit };
}
