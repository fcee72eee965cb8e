import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { Metric } from '../../api/metrics/metric.ts';
import { bootstrapFlowSchemas } from '../bootstrap/bootstrap-flow-schemas.ts';
import { bootstrapPriorityLevels } from '../bootstrap/bootstrap-priority-levels.ts';
import type { FlowRequest } from '../classification/flow-request.ts';
import { FlowMetrics } from '../flow-metrics.ts';
import { SimulatedTime } from '../queueing/simulated-time.ts';
import { FlowTable, maxSeatsOf } from './flow-table.ts';

const schemas = bootstrapFlowSchemas.map(({ object }) => object);
const levels = bootstrapPriorityLevels.map(({ object }) => object);

function tableWith(
  stored: { readonly schemas?: readonly KubernetesObject[]; readonly levels?: readonly KubernetesObject[] },
  time = new SimulatedTime(),
): FlowTable {
  const { seriesOf } = new FlowMetrics((definition) => new Metric(definition));
  const table = new FlowTable({ totalSeats: 600, timing: time, observe: () => ({}), seriesOf });
  table.configure(stored.schemas ?? schemas, stored.levels ?? levels);
  return table;
}

const readingOf = (name: string, ...groups: string[]): FlowRequest => ({
  user: {
    name,
    uid: '',
    groups: [...groups, 'system:authenticated'],
    extra: {},
  },
  verb: 'list',
  isResourceRequest: true,
  path: '/api/v1/pods',
  group: '',
  version: 'v1',
  namespace: '',
  resource: 'pods',
  subresource: '',
  name: '',
});

const work = { initialSeats: 1, finalSeats: 0, additionalMs: 0 };

/** As kube-apiserver has them with its own limits, and shortly after its start. */
test('the bootstrap levels divide 600 seats', () => {
  const limits = [...tableWith({}).levels.values()].map(({ spec, limits: { nominal, min, max }, current }) => {
    return `${spec.name} ${nominal} ${min} ${max} ${current}`;
  });
  expect(limits.toSorted()).toEqual([
    'catch-all 13 13 613 30',
    'exempt 0 0 600 0',
    'global-default 49 24 649 56',
    'leader-election 25 25 625 58',
    'node-high 98 73 698 170',
    'system 74 50 674 117',
    'workload-high 98 49 698 114',
    'workload-low 245 24 845 56',
  ]);
});

test('a request may take an eighth or so of the seats of its level', () => {
  const most = [...tableWith({}).levels.values()].map((level) => `${level.spec.name} ${maxSeatsOf(level) ?? 'any'}`);
  expect(most.toSorted()).toEqual([
    'catch-all any',
    'exempt any',
    'global-default 8',
    'leader-election 4',
    'node-high 15',
    'system 12',
    'workload-high 15',
    'workload-low 37',
  ]);
});

test('without stored objects the mandatory ones are in force', () => {
  const table = tableWith({ schemas: [], levels: [] });
  expect([...table.levels.keys()].toSorted()).toEqual(['catch-all', 'exempt']);
  expect(table.classify(readingOf('root', 'system:masters')).name).toBe('exempt');
  expect(table.classify(readingOf('somebody')).name).toBe('catch-all');
});

test('a schema whose level does not exist is passed over', () => {
  const table = tableWith({ levels: levels.filter(({ metadata }) => metadata.name !== 'global-default') });
  expect(table.classify(readingOf('somebody')).name).toBe('catch-all');
});

test('a level that is gone stays until its requests have ended', () => {
  const table = tableWith({});
  const level = table.levels.get('system');
  const running = level?.queues.start({ flowSchema: 's', distinguisher: '', work, about: undefined }, [0]);
  table.configure(
    schemas,
    levels.filter(({ metadata }) => metadata.name !== 'system'),
  );
  expect(table.levels.get('system')).toMatchObject({ isQuiescing: true });
  expect(table.classify(readingOf('node', 'system:nodes')).name).toBe('global-default');
  if (running !== undefined) level?.queues.end(running);
  table.configure(
    schemas,
    levels.filter(({ metadata }) => metadata.name !== 'system'),
  );
  expect(table.levels.has('system')).toBe(false);
});

describe('borrowing', () => {
  test('a busy level gets what others lend, and they get back what they need', () => {
    const time = new SimulatedTime();
    const table = tableWith({}, time);
    const busy = table.levels.get('workload-low');
    const start = (name: string, count: number) => {
      const level = table.levels.get(name);
      return Array.from({ length: count }, (_, at) =>
        level?.queues.start({ flowSchema: 's', distinguisher: '', work, about: undefined }, [at % 16]),
      );
    };
    start('workload-low', 700);
    time.runTo(10_000);
    expect(table.adjust()).toBe(true);
    expect(busy?.current).toBeGreaterThan(300);
    expect(busy?.queues.totals.executing).toBe(busy?.current);
    start('system', 200);
    time.runTo(20_000);
    table.adjust();
    expect(table.levels.get('system')?.current).toBeGreaterThanOrEqual(74);
  });

  test('demand is forgotten by half in five minutes', () => {
    const time = new SimulatedTime();
    const table = tableWith({}, time);
    const level = table.levels.get('system');
    const requests = Array.from({ length: 60 }, () =>
      level?.queues.start({ flowSchema: 's', distinguisher: '', work, about: undefined }, [0]),
    );
    time.runTo(10_000);
    table.adjust();
    const peak = level?.demand.smoothed ?? 0;
    for (const request of requests) if (request !== undefined) level?.queues.end(request);
    time.runTo(10_000 + 300_000);
    expect(table.adjust(29)).toBe(true);
    expect(level?.demand.smoothed).toBeCloseTo(peak / 2, 0);
    time.runTo(10_000 + 310_000);
    expect(table.adjust()).toBe(false);
  });
});
