import { instance, places, pod } from '../objects.ts';
import { define } from '../definitions.ts';
import { script } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, protobufType, put } from '../steps.ts';

const space = 'micro';
const leases = `/apis/coordination.k8s.io/v1/namespaces/${space}/leases`;
const lease = (name: string, spec: object): object => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name },
  spec,
});
const custom = {
  group: 'micro.example.com',
  plural: 'clocks',
  kind: 'Clock',
  properties: {
    spec: {
      type: 'object',
      properties: {
        at: { type: 'string', format: 'date-time' },
        day: { type: 'string', format: 'date' },
        length: { type: 'string', format: 'duration' },
      },
    },
  },
} as const;
const clocks = places.custom(custom.group, custom.plural, space);
const pods = places.pods(space);

const times: { readonly [name: string]: unknown } = {
  'whole seconds': '2001-02-03T04:05:06Z',
  microseconds: '2001-02-03T04:05:06.789012Z',
  milliseconds: '2001-02-03T04:05:06.789Z',
  'zero microseconds': '2001-02-03T04:05:06.000000Z',
  nanoseconds: '2001-02-03T04:05:06.789012345Z',
  'one digit': '2001-02-03T04:05:06.7Z',
  'another zone': '2001-02-03T04:05:06.789012+02:00',
  'a zone without microseconds': '2001-02-03T04:05:06-07:00',
  'lower case': '2001-02-03t04:05:06z',
  'a blank': '2001-02-03 04:05:06Z',
  'no zone': '2001-02-03T04:05:06',
  'a comma': '2001-02-03T04:05:06,789012Z',
  'a leap second': '2016-12-31T23:59:60Z',
  'a 30th of February': '2001-02-30T00:00:00Z',
  'hour 24': '2001-02-03T24:00:00Z',
  'the first year': '0001-01-01T00:00:00Z',
  'before it': '0000-01-01T00:00:00Z',
  'the last year': '9999-12-31T23:59:59.999999Z',
  'one digit of an hour': '2001-02-03T4:05:06Z',
  'a date': '2001-02-03',
  empty: '',
  null: null,
  'a number': 981_173_106,
};

/** Reports: MicroTime and Time, written by clients of other languages. */
export const microseconds = script(
  'microseconds',
  inNamespace(space),
  define(custom),
  post('a lease', leases, lease('a', { holderIdentity: 'x' })),
  post('a pod', pods, pod('a')),
  forEach(times, (time, name) => {
    const own = name.replaceAll(' ', '-').toLowerCase();
    return [
      post(`post a lease: ${name}`, leases, lease(own, { renewTime: time, acquireTime: time })),
      get(`get the lease: ${name}`, `${leases}/${own}`),
      patch(`merge: ${name}`, 'merge', `${leases}/a`, { spec: { renewTime: time } }),
      patch(`JSON patch: ${name}`, 'json', `${leases}/a`, [{ op: 'add', path: '/spec/acquireTime', value: time }]),
      apply(`apply: ${name}`, `${leases}/b`, lease('b', { renewTime: time, holderIdentity: 'y' }), 'one&force=true'),
      patch(`a condition: ${name}`, 'strategic', `${pods}/a/status`, {
        status: { conditions: [{ type: 'x', status: 'True', lastTransitionTime: time }] },
      }),
      post(`post a clock: ${name}`, `${clocks}?dryRun=All`, instance(custom, 'c', { spec: { at: time } })),
      post(
        `metadata: ${name}`,
        `${clocks}?dryRun=All`,
        instance(custom, 'c', {}, { creationTimestamp: time, deletionTimestamp: time }),
      ),
    ];
  }),
  forEach(
    {
      seconds: '1s',
      'more of them': '1h2m3s',
      days: '1d',
      ISO: 'PT1S',
      empty: '',
      number: 5,
      negative: '-1s',
      micro: '1µs',
      us: '1us',
    },
    (length, name) => post(`a duration: ${name}`, `${clocks}?dryRun=All`, instance(custom, 'c', { spec: { length } })),
  ),
  forEach(
    { plain: '2001-02-03', time: '2001-02-03T00:00:00Z', short: '2001-2-3', none: '2001-02-30', empty: '' },
    (day, name) => post(`a day: ${name}`, `${clocks}?dryRun=All`, instance(custom, 'c', { spec: { day } })),
  ),
  post('in protobuf', leases, lease('p', { renewTime: '2001-02-03T04:05:06.789012Z' }), { form: 'protobuf' }),
  get('as protobuf', `${leases}/p`, { accept: protobufType }),
  get('as YAML', `${leases}/p`, { accept: 'application/yaml' }),
  put(
    'a lease as YAML',
    `${leases}/p`,
    'apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: p}\nspec: {renewTime: 2001-02-03T04:05:06.789012Z}\n',
    { contentType: 'application/yaml' },
  ),
);
