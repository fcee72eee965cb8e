import type {
  LimitResponse,
  PriorityLevelConfigurationSpec,
} from '../../schema/kubernetes/generated/types/flowcontrol-v1.ts';
import { type FlowConfiguration, flowConfiguration } from './flow-configuration.ts';

interface LimitedRow {
  readonly name: string;
  readonly shares: number;
  readonly lendablePercent: number;
  readonly queues: number;
  readonly handSize: number;
}

const queueLengthLimit = 50;

/** In the order in which the reference creates them. */
const suggested: readonly LimitedRow[] = [
  { name: 'system', shares: 30, lendablePercent: 33, queues: 64, handSize: 6 },
  { name: 'node-high', shares: 40, lendablePercent: 25, queues: 64, handSize: 6 },
  { name: 'leader-election', shares: 10, lendablePercent: 0, queues: 16, handSize: 4 },
  { name: 'workload-high', shares: 40, lendablePercent: 50, queues: 128, handSize: 6 },
  { name: 'workload-low', shares: 100, lendablePercent: 90, queues: 128, handSize: 6 },
  { name: 'global-default', shares: 20, lendablePercent: 50, queues: 128, handSize: 6 },
];

function limited(
  shares: number,
  lendablePercent: number,
  limitResponse: LimitResponse,
): PriorityLevelConfigurationSpec {
  return { type: 'Limited', limited: { nominalConcurrencyShares: shares, lendablePercent, limitResponse } };
}

const mandatory: Readonly<Record<string, PriorityLevelConfigurationSpec>> = {
  exempt: { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
  'catch-all': limited(5, 0, { type: 'Reject' }),
};

const kind = 'PriorityLevelConfiguration';

export const bootstrapPriorityLevels: readonly FlowConfiguration[] = [
  ...suggested.map(({ name, shares, lendablePercent, queues, handSize }) => {
    const queuing = { queues, handSize, queueLengthLimit };
    const spec = limited(shares, lendablePercent, { type: 'Queue', queuing });
    return flowConfiguration({ kind, name, spec, isMandatory: false });
  }),
  ...Object.entries(mandatory).map(([name, spec]) => flowConfiguration({ kind, name, spec, isMandatory: true })),
];
