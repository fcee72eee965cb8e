import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put, remove, tableType } from '../steps.ts';

const space = 'happened';
const core = `/api/v1/namespaces/${space}/events`;
const grouped = `/apis/events.k8s.io/v1/namespaces/${space}/events`;
const involved = { kind: 'Pod', namespace: space, name: 'p' };
const old = (name: string, fields: object, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name, namespace: space, ...metadata },
  involvedObject: involved,
  ...fields,
});
const current = (name: string, fields: object, metadata: object = {}): object => ({
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { name, namespace: space, ...metadata },
  regarding: involved,
  ...fields,
});
const full = {
  eventTime: '2001-01-01T00:00:00.000001Z',
  reportingController: 'example.com/c',
  reportingInstance: 'c-1',
  action: 'Act',
  reason: 'Because',
  type: 'Normal',
};
const fullOld = { ...full, reportingController: undefined, reportingComponent: 'example.com/c' };

const fields: { readonly [name: string]: object } = {
  nothing: {},
  everything: {},
  'no time': { eventTime: undefined },
  'a null time': { eventTime: null },
  'a wrong time': { eventTime: 'now' },
  'no controller': { reportingController: undefined, reportingComponent: undefined },
  'a bad controller': { reportingController: 'a b', reportingComponent: 'a b' },
  'no instance': { reportingInstance: '' },
  'a long instance': { reportingInstance: 'x'.repeat(129) },
  'no action': { action: '' },
  'a long action': { action: 'x'.repeat(129) },
  'no reason': { reason: '' },
  'a long reason': { reason: 'x'.repeat(129) },
  'another type': { type: 'Error' },
  'no type': { type: '' },
  'a long note': { note: 'x'.repeat(1025), message: 'x'.repeat(1025) },
  'a note': { note: 'n', message: 'n' },
  'a series': { series: { count: 2, lastObservedTime: '2001-01-01T00:00:00.000001Z' } },
  'a series of one': { series: { count: 1, lastObservedTime: '2001-01-01T00:00:00.000001Z' } },
  'a series without a time': { series: { count: 2 } },
  'a count': { count: 5, deprecatedCount: 5 },
  'first and last times': {
    firstTimestamp: '2001-01-01T00:00:00Z',
    lastTimestamp: '2001-01-02T00:00:00Z',
    deprecatedFirstTimestamp: '2001-01-01T00:00:00Z',
  },
  'a source': { source: { component: 'c', host: 'h' }, deprecatedSource: { component: 'c', host: 'h' } },
  'an object of another namespace': {
    involvedObject: { ...involved, namespace: 'default' },
    regarding: { ...involved, namespace: 'default' },
  },
  'an object without a namespace': {
    involvedObject: { kind: 'Pod', name: 'p' },
    regarding: { kind: 'Pod', name: 'p' },
  },
  'an object of the cluster': { involvedObject: { kind: 'Node', name: 'n' }, regarding: { kind: 'Node', name: 'n' } },
  'a related object': { related: { kind: 'Pod', name: 'q', namespace: space } },
};

function fieldSteps(more: object, name: string, index: number): readonly Step[] {
  const own = `e${index}`;
  const both = { ...(name === 'nothing' ? {} : full), ...more };
  const bothOld = { ...(name === 'nothing' ? {} : fullOld), ...more };
  return [
    post(`core: ${name}`, core, old(`${own}-core`, bothOld)),
    post(`grouped: ${name}`, grouped, current(`${own}-grouped`, both)),
    get(`core through the group: ${name}`, `${grouped}/${own}-core`),
    get(`grouped through core: ${name}`, `${core}/${own}-grouped`),
    patch(`core is patched: ${name}`, 'merge', `${core}/${own}-core`, { ...more, count: 7 }),
    patch(`grouped is patched: ${name}`, 'merge', `${grouped}/${own}-grouped`, {
      ...more,
      metadata: { labels: { a: 'b' } },
    }),
    apply(`core is applied: ${name}`, `${core}/${own}-applied?dryRun=All`, old(`${own}-applied`, bothOld)),
    apply(`grouped is applied: ${name}`, `${grouped}/${own}-applied?dryRun=All`, current(`${own}-applied`, both)),
    put(`put through core: ${name}`, `${core}/${own}-put?dryRun=All`, old(`${own}-put`, bothOld)),
  ];
}

/** Reports: events of both groups, and what each demands. */
export const eventsScript = script(
  'events',
  inNamespace(space),
  Object.entries(fields).flatMap(([name, more], index) => fieldSteps(more, name, index)),
  forEach(
    {
      reason: 'reason=Because',
      type: 'type=Normal',
      object: 'involvedObject.name=p',
      source: 'source=c',
      regarding: 'regarding.name=p',
      component: 'reportingComponent=example.com/c',
      unknown: 'nope=x',
    },
    (selector, name) => [
      get(`core by ${name}`, `${core}?limit=2&fieldSelector=${encodeURIComponent(selector)}`),
      get(`grouped by ${name}`, `${grouped}?limit=2&fieldSelector=${encodeURIComponent(selector)}`),
    ],
  ),
  get('a table', `${core}/e1-core`, { accept: tableType }),
  get('a table of the group', `${grouped}/e1-core`, { accept: tableType }),
  post('a generated name', core, { ...old('', fullOld), metadata: { generateName: 'gen-event-', namespace: space } }),
  remove('delete one', `${grouped}/e1-core`),
  remove('delete the collection', `${core}?fieldSelector=reason%3DBecause`),
);
