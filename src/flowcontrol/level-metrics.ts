import type { FlowTable } from './levels/flow-table.ts';
import type { PriorityLevel } from './levels/priority-level.ts';
import { flowMetric, type MakeMetric } from './flow-metrics.ts';
import { secondsOf } from './queueing/seat-seconds.ts';

interface LevelGauge {
  readonly name: string;
  readonly help: string;
  /** Queues are those of a thread; absent: the first thread's. */
  readonly overThreads?: 'each';
  /** Undefined: not known yet. */
  readonly read: (level: PriorityLevel) => number | undefined;
}

/** Read when they are asked for. */
const levelGauges: readonly LevelGauge[] = [
  { name: 'nominal_limit_seats', help: '[BETA] Seats of each level.', read: ({ limits }) => limits.nominal },
  {
    name: 'lower_limit_seats',
    help: '[ALPHA] Seats of each level without what it may lend.',
    read: ({ limits }) => limits.min,
  },
  {
    name: 'upper_limit_seats',
    help: '[ALPHA] Seats of each level with what it may borrow.',
    read: ({ limits }) => limits.max,
  },
  {
    name: 'current_limit_seats',
    help: '[ALPHA] Seats that each level has until the next adjustment.',
    read: ({ current }) => current,
  },
  { name: 'target_seats', help: '[ALPHA] Seats aimed at for each level.', read: ({ target }) => target },
  {
    name: 'demand_seats_high_watermark',
    help: '[ALPHA] The most seats wanted in the last period.',
    read: ({ demand }) => demand.highWatermark,
  },
  {
    name: 'demand_seats_average',
    help: '[ALPHA] Seats wanted on average in the last period.',
    read: ({ demand }) => demand.average,
  },
  {
    name: 'demand_seats_stdev',
    help: '[ALPHA] Standard deviation of the seats wanted in the last period.',
    read: ({ demand }) => demand.deviation,
  },
  {
    name: 'demand_seats_smoothed',
    help: '[ALPHA] Seats wanted, smoothed over periods.',
    read: ({ demand }) => demand.smoothed,
  },
  {
    name: 'current_r',
    help: '[ALPHA] Progress of the queues.',
    overThreads: 'each',
    read: ({ queues }) => secondsOf(queues.r),
  },
  {
    name: 'dispatch_r',
    help: '[ALPHA] Progress of the queues at the latest dispatch.',
    overThreads: 'each',
    read: ({ queues: { lastDispatch } }) => lastDispatch && secondsOf(lastDispatch.r),
  },
  {
    name: 'latest_s',
    help: '[ALPHA] Virtual start of the request dispatched last.',
    overThreads: 'each',
    read: ({ queues: { lastDispatch } }) => lastDispatch && secondsOf(lastDispatch.start),
  },
];

const boundGauges = [
  {
    name: 'next_s_bounds',
    help: '[ALPHA] Least and greatest virtual start of the oldest requests of queues.',
    bounds: 'starts',
  },
  {
    name: 'next_discounted_s_bounds',
    help: '[ALPHA] The same, less the work in progress.',
    bounds: 'discountedStarts',
  },
] as const;

/** Registers what is known of the levels at any time. */
export function measureLevels(make: MakeMetric, table: FlowTable, refresh: () => void): void {
  const perLevel = <T>(read: (level: PriorityLevel) => readonly T[]): readonly T[] => {
    refresh();
    return [...table.levels.values()].flatMap(read);
  };
  for (const { name, help, overThreads = 'first', read } of levelGauges) {
    const definition = flowMetric({ name, help, type: 'gauge', overThreads, labelNames: ['priority_level'] });
    make(definition, () =>
      perLevel((level) => {
        const value = read(level);
        return value === undefined ? [] : [{ labels: { priority_level: level.spec.name }, value }];
      }),
    );
  }
  for (const { name, help, bounds } of boundGauges) {
    make(flowMetric({ name, help, type: 'gauge', overThreads: 'each', labelNames: ['priority_level', 'bound'] }), () =>
      perLevel(({ spec, queues: { lastDispatch } }) =>
        Object.entries(lastDispatch?.[bounds] ?? {}).map(([bound, work]) => {
          return { labels: { priority_level: spec.name, bound }, value: secondsOf(work) };
        }),
      ),
    );
  }
  const fair = {
    name: 'seat_fair_frac',
    help: '[ALPHA] What part of its target each level gets.',
    type: 'gauge',
    overThreads: 'first',
  } as const;
  make(flowMetric({ ...fair, labelNames: [] }), () => [{ labels: {}, value: table.fairFraction }]);
}
