import { script, type Step } from '../script.ts';
import { apply, events, forEach, get, inNamespace, patch, post, put, remove, tableType, watch } from '../steps.ts';

const space = 'event-selectors';
const core = `/api/v1/namespaces/${space}/events`;
const grouped = `/apis/events.k8s.io/v1/namespaces/${space}/events`;
const groups = { core, grouped } as const;
const object = {
  kind: 'Pod',
  namespace: space,
  name: 'p',
  uid: 'u',
  apiVersion: 'v1',
  resourceVersion: '7',
  fieldPath: 'f',
};

const plain = (name: string, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name, namespace: space },
  involvedObject: object,
  reason: 'Because',
  type: 'Normal',
  source: { component: 'c', host: 'h' },
  ...more,
});
const full = (name: string, more: object = {}): object => ({
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { name, namespace: space },
  regarding: object,
  reason: 'Because',
  type: 'Normal',
  eventTime: '2001-01-01T00:00:00.000001Z',
  reportingController: 'example.com/c',
  reportingInstance: 'c-1',
  action: 'Act',
  ...more,
});

const fields: readonly string[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'reason',
  'type',
  'source',
  'reportingComponent',
  'involvedObject.kind',
  'involvedObject.namespace',
  'involvedObject.name',
  'involvedObject.uid',
  'involvedObject.apiVersion',
  'involvedObject.resourceVersion',
  'involvedObject.fieldPath',
  'regarding.kind',
  'regarding.namespace',
  'regarding.name',
  'regarding.uid',
  'reportingController',
  'action',
  'reportingInstance',
  'note',
  'message',
  'count',
  'eventTime',
  'related.name',
  'source.component',
  'nope',
  '',
];
const values = ['', 'p', 'Because', 'c', 'example.com/c', 'Normal'] as const;
const operators = ['=', '!='] as const;

const selected = (path: string, selector: string, more = ''): string =>
  `${path}?fieldSelector=${encodeURIComponent(selector)}${more}`;

const time = '2001-01-01T00:00:00.000001Z';
const serieses: { readonly [name: string]: unknown } = {
  null: null,
  nothing: {},
  'a list': [],
  'a count': { count: 2 },
  'a time': { lastObservedTime: time },
  both: { count: 2, lastObservedTime: time },
  'a count of one': { count: 1, lastObservedTime: time },
  'a count of zero': { count: 0, lastObservedTime: time },
  'a negative count': { count: -3, lastObservedTime: time },
  'a large count': { count: 2_147_483_648, lastObservedTime: time },
  'a time of whole seconds': { count: 2, lastObservedTime: '2001-01-01T00:00:00Z' },
  'a time of nothing': { count: 2, lastObservedTime: '0001-01-01T00:00:00.000000Z' },
  'a time that is none': { count: 2, lastObservedTime: 'x' },
  'an unknown field': { count: 2, lastObservedTime: time, state: 'Ongoing' },
};

function seriesSteps(series: unknown, name: string, index: number): readonly Step[] {
  return Object.entries(groups).flatMap(([group, path]) => {
    const make = group === 'core' ? plain : full;
    const own = `s${index}-${group}`;
    return [
      post(`${group}: series: ${name}`, path, make(own, { series, eventTime: time })),
      patch(`${group}: series patched: ${name}`, 'merge', `${path}/a-${group}?dryRun=All`, { series }),
      patch(`${group}: series patched strategically: ${name}`, 'strategic', `${path}/a-${group}?dryRun=All`, {
        series,
      }),
      apply(
        `${group}: series applied: ${name}`,
        `${path}/${own}-applied?dryRun=All`,
        make(`${own}-applied`, { series }),
      ),
      put(`${group}: series put: ${name}`, `${path}/a-${group}?dryRun=All`, make(`a-${group}`, { series })),
    ];
  });
}

const changes: { readonly [name: string]: object } = {
  reason: { reason: 'Other' },
  type: { type: 'Warning' },
  action: { action: 'Other' },
  time: { eventTime: '2002-01-01T00:00:00.000001Z' },
  'no time': { eventTime: null },
  controller: { reportingController: 'example.com/d', reportingComponent: 'example.com/d' },
  instance: { reportingInstance: 'd-1' },
  note: { note: 'n', message: 'm' },
  object: { regarding: { name: 'q' }, involvedObject: { name: 'q' } },
  related: { related: { kind: 'Pod', name: 'q' } },
  count: { count: 9, deprecatedCount: 9 },
  source: { source: { component: 'd' }, deprecatedSource: { component: 'd' } },
  first: { firstTimestamp: '2001-01-01T00:00:00Z', deprecatedFirstTimestamp: '2001-01-01T00:00:00Z' },
  labels: { metadata: { labels: { a: 'b' } } },
  nothing: {},
};

/** Reports: events by what they are about, series of them, and changes that only one of the groups allows. */
export const eventSelectors = script(
  space,
  inNamespace(space),
  post('a core event', core, plain('a-core', { count: 3, firstTimestamp: '2001-01-01T00:00:00Z', message: 'm' })),
  post('an event of the group', grouped, full('a-grouped', { note: 'n' })),
  post('one about a node', core, plain('b-core', { involvedObject: { kind: 'Node', name: 'n' }, type: 'Warning' })),
  post('one of another reason', grouped, full('b-grouped', { reason: 'Other', related: { kind: 'Pod', name: 'q' } })),
  Object.entries(groups).flatMap(([group, path]) =>
    fields.flatMap((name) => [
      ...operators.flatMap((operator) =>
        values
          .filter((_, at) => at < 2 || operator === '=')
          .map((value) =>
            get(`${group}: ${name}${operator}${value}`, selected(path, `${name}${operator}${value}`, '&limit=9')),
          ),
      ),
      remove(`${group}: delete by ${name}`, selected(path, `${name}=none`, '&dryRun=All')),
      get(
        `${group}: watch by ${name}`,
        selected(path, `${name}=none`, '&watch=true&timeoutSeconds=1&resourceVersion=0'),
      ),
    ]),
  ),
  forEach(groups, (path, group) => [
    get(`${group}: two fields`, selected(path, 'reason=Because,type=Normal')),
    get(`${group}: a field and a label`, `${selected(path, 'reason=Because')}&labelSelector=none`),
    get(`${group}: a table`, path, { accept: tableType }),
    get(`${group}: in protobuf`, path, { accept: 'application/vnd.kubernetes.protobuf' }),
    get(
      `${group}: of all namespaces`,
      selected(path.replace(`/namespaces/${space}`, ''), `involvedObject.namespace=${space},reason=Other`),
    ),
    watch(`${group}: watch`, selected(path, 'reason=Because')),
  ]),
  Object.entries(serieses).flatMap(([name, series], index) => seriesSteps(series, name, index)),
  forEach(changes, (change, name) =>
    ['core', 'grouped'].flatMap((made) =>
      Object.entries(groups).flatMap(([group, path]) => [
        patch(`${made} event through ${group}: ${name}`, 'merge', `${path}/a-${made}?dryRun=All`, change),
        put(
          `${made} event put through ${group}: ${name}`,
          `${path}/a-${made}?dryRun=All`,
          group === 'core' ? plain(`a-${made}`, change) : full(`a-${made}`, change),
        ),
      ]),
    ),
  ),
  events('core: watch', 1),
  events('grouped: watch', 1),
  forEach(groups, (path, group) => [
    remove(`${group}: delete a reason`, selected(path, 'reason=Other')),
    remove(`${group}: delete by a wrong selector`, `${path}?fieldSelector=reason`),
    get(`${group}: what is left`, selected(path, 'metadata.name=b-grouped')),
  ]),
);
