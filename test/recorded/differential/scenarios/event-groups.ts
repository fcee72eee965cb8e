import { get, inNamespace, patch, post, put, scenario, type Step } from '../scenario.ts';
import { apply } from './apply-step.ts';

const namespace = 'diff-events';
const groups = {
  core: {
    base: `/api/v1/namespaces/${namespace}/events`,
    apiVersion: 'v1',
    event: { involvedObject: { kind: 'Pod', name: 'p', namespace }, message: 'm' },
    text: 'message',
  },
  named: {
    base: `/apis/events.k8s.io/v1/namespaces/${namespace}/events`,
    apiVersion: 'events.k8s.io/v1',
    event: {
      regarding: { kind: 'Pod', name: 'p', namespace },
      note: 'm',
      action: 'A',
      reportingController: 'a.b/c',
      reportingInstance: 'i',
      eventTime: '2024-01-01T00:00:00.000000Z',
    },
    text: 'note',
  },
} as const;
type Group = keyof typeof groups;

function event(group: Group, name: string, more: object = {}): object {
  const { apiVersion, event: fields } = groups[group];
  return { apiVersion, kind: 'Event', metadata: { name }, reason: 'R', type: 'Normal', ...fields, ...more };
}

/** Created in one group, then written through the other. */
function throughBoth(from: Group, to: Group): Step[] {
  const name = `${from}-${to}`;
  const { base, apiVersion, text } = groups[to];
  const path = `${base}/${name}`;
  const applied = { apiVersion, kind: 'Event', metadata: { name }, [text]: 'other' };
  return [
    post(`create ${name}`, groups[from].base, event(from, name)),
    apply(`apply ${name} in a dry run`, `${path}`, applied, 'a&dryRun=All'),
    patch(`label ${name}`, path, { type: 'merge', body: { metadata: { labels: { a: 'b' } } } }),
    patch(`label ${name} back`, `${groups[from].base}/${name}`, {
      type: 'strategic',
      body: { metadata: { labels: { c: 'd' } } },
    }),
    apply(`apply ${name}`, `${path}`, applied, 'a'),
    put(`put ${name}`, path, event(to, name, { metadata: { name, labels: { u: 'v' } } })),
    get(path),
  ];
}

const zeros = ['0001-01-01T00:00:00.000000Z', '0001-01-01T01:00:00.000000+01:00'];
const wrongNamespace = { kind: 'Pod', name: 'p', namespace: 'other' };
const metadatas = [
  { name: 'Bad/Name' },
  { name: 'UP per' },
  { name: 'n', labels: { 'a b': 'c' } },
  { name: 'n', finalizers: ['x'] },
];

/** Events in both of their groups. */
export const eventGroups = scenario('event-groups', [
  inNamespace(namespace),
  ...throughBoth('core', 'named'),
  ...throughBoth('named', 'core'),
  ...throughBoth('core', 'core'),
  ...throughBoth('named', 'named'),
  ...zeros.flatMap((zero, index) => [
    post(`core at ${zero}`, groups.core.base, event('core', `z${index}`, { eventTime: zero })),
    post(`core first at ${zero}`, groups.core.base, event('core', `y${index}`, { firstTimestamp: zero })),
    post(`named at ${zero}`, groups.named.base, event('named', `x${index}`, { eventTime: zero })),
    get(`${groups.core.base}/x${index}`),
    patch(`note of one at ${zero}`, `${groups.named.base}/x${index}`, {
      type: 'merge',
      body: { eventTime: zero, type: '' },
    }),
    post(`named first at ${zero}`, groups.named.base, event('named', 'n', { deprecatedFirstTimestamp: zero })),
    post(
      `series at ${zero}`,
      groups.named.base,
      event('named', `w${index}`, { series: { count: 2, lastObservedTime: zero } }),
    ),
  ]),
  ...metadatas.flatMap((metadata) => [
    post(`core ${JSON.stringify(metadata)}`, groups.core.base, event('core', 'n', { metadata })),
    post(
      `core ${JSON.stringify(metadata)} elsewhere`,
      groups.core.base,
      event('core', 'n', { metadata, involvedObject: wrongNamespace }),
    ),
    post(
      `named ${JSON.stringify(metadata)}`,
      groups.named.base,
      event('named', 'n', { metadata, regarding: {}, type: 'x' }),
    ),
  ]),
  patch('source in named', `${groups.named.base}/x0`, {
    type: 'merge',
    body: { deprecatedSource: { host: 'h' }, reason: '' },
  }),
]);
