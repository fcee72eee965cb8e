import { define } from '../definitions.ts';
import { configMap, instance, places } from '../objects.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put } from '../steps.ts';

const space = 'odd-writes';
const custom = {
  group: 'odd-writes.example.com',
  plural: 'marks',
  kind: 'Mark',
  properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
} as const;
const marks = places.custom(custom.group, custom.plural, space);
const maps = places.configMaps(space);
const events = `/apis/events.k8s.io/v1/namespaces/${space}/events`;
const coreEvents = `/api/v1/namespaces/${space}/events`;

/** A version with zeros before it is that version, and a dry run shows it as given. */
function spelled(name: string, path: string, of: (metadata: object) => object): readonly Step[] {
  return forEach({ current: '', 'with a zero': '0', 'with zeros': '000' }, (zeros, how) => {
    const resourceVersion = `${zeros}{{${name}: add|metadata.resourceVersion}}`;
    const dry = `${path}?dryRun=All`;
    return [
      put(`${name}: put ${how}`, dry, of({ resourceVersion })),
      put(`${name}: put a label ${how}`, dry, of({ resourceVersion, labels: { a: 'b' } })),
      patch(`${name}: merge ${how}`, 'merge', dry, { metadata: { resourceVersion } }),
      patch(`${name}: merge a label ${how}`, 'merge', dry, { metadata: { resourceVersion, labels: { a: 'b' } } }),
      apply(`${name}: apply ${how}`, dry, of({ resourceVersion }), 'one&force=true'),
      put(`${name}: really put ${how}`, path, of({ resourceVersion })),
    ];
  });
}

const versions: { readonly [name: string]: unknown } = {
  none: '',
  'null version': null,
  'a group': `${custom.group}/`,
  'another group': 'x/',
};

const bodies: { readonly [name: string]: object } = {
  'unknown fields': { nope: 1, spec: { a: 'b', other: 1 } },
  'unknown metadata': { metadata: { name: 'a', nope: 1 } },
};

const unversioned = forEach(versions, (apiVersion, name) =>
  forEach(bodies, (body, what) =>
    ['Warn', 'Strict', 'Ignore'].flatMap((mode) => {
      const query = `?dryRun=All&fieldValidation=${mode}`;
      const whole = { ...instance(custom, 'a'), ...body, apiVersion };
      return [
        patch(`${name}, ${what}: merge, ${mode}`, 'merge', `${marks}/a${query}`, { ...body, apiVersion }),
        post(`${name}, ${what}: post, ${mode}`, `${marks}${query}`, whole),
        put(`${name}, ${what}: put, ${mode}`, `${marks}/a${query}`, whole),
        post(`${name}, ${what}: post in YAML, ${mode}`, `${marks}${query}`, whole, { form: 'yaml' }),
      ];
    }),
  ),
);

const event = (fields: object): object => ({
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { name: 'e', namespace: space },
  regarding: { kind: 'Pod', namespace: space, name: 'p' },
  note: 'n',
  reason: 'R',
  type: 'Normal',
  action: 'A',
  eventTime: '2001-01-01T00:00:00.000000Z',
  reportingController: 'c.io/x',
  reportingInstance: 'i',
  ...fields,
});
const zeros: { readonly [name: string]: unknown } = {
  'a zero time': '0001-01-01T00:00:00.000000Z',
  'a zero time elsewhere': '0001-01-01T01:00:00.000000+01:00',
  'a null time': null,
  'another time': '2001-01-01T00:00:00.000001Z',
};

/** Reports: writes that name what they change in other words. */
export const oddWrites = script(
  'odd-writes',
  inNamespace(space),
  define(custom),
  post('map: add', maps, configMap('a')),
  post('mark: add', marks, instance(custom, 'a', { spec: { a: 'b' } })),
  spelled('map', `${maps}/a`, (metadata) => configMap('a', undefined, metadata)),
  spelled('mark', `${marks}/a`, (metadata) => instance(custom, 'a', { spec: { a: 'b' } }, metadata)),
  unversioned,
  post('add an event', events, event({})),
  forEach(zeros, (eventTime, name) => [
    put(`${name}: put`, `${events}/e`, event({ eventTime })),
    patch(`${name}: merge`, 'merge', `${events}/e`, { eventTime }),
    patch(`${name}: deprecated`, 'merge', `${events}/e`, { deprecatedFirstTimestamp: eventTime }),
    patch(`${name}: core`, 'merge', `${coreEvents}/e?dryRun=All`, { eventTime }),
  ]),
  get('the event', `${events}/e`),
);
