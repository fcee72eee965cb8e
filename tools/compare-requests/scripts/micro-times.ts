import { places, pod } from '../objects.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, protobufType, put } from '../steps.ts';

const space = 'micro-times';
const leases = `/apis/coordination.k8s.io/v1/namespaces/${space}/leases`;
const events = `/api/v1/namespaces/${space}/events`;
const lease = (name: string, spec: object): object => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name },
  spec,
});

/** Times in forms that are not among `microseconds`. */
const times: { readonly [name: string]: string } = {
  'a half second': '2001-02-03T04:05:06.5Z',
  'nine digits that end in zeros': '2001-02-03T04:05:06.123456000Z',
  'seven digits': '2001-02-03T04:05:06.1234567Z',
  'ten digits': '2001-02-03T04:05:06.1234567891Z',
  'digits that round up': '2001-02-03T04:05:06.9999999Z',
  'zeros and one': '2001-02-03T04:05:06.000001Z',
  'a zone of half an hour': '2001-02-03T04:05:06.000001+05:30',
  'a zone of 24 hours': '2001-02-03T04:05:06.000001+24:00',
  'a zone of 60 minutes': '2001-02-03T04:05:06.000001+01:60',
  'a zone of zero': '2001-02-03T04:05:06.000001+00:00',
  'a zone of minus zero': '2001-02-03T04:05:06.000001-00:00',
  'a zone without a colon': '2001-02-03T04:05:06.000001+0100',
  'a zone in words': '2001-02-03T04:05:06.000001UTC',
  'before 1970': '1969-12-31T23:59:59.999999Z',
  'before 1900': '1899-12-31T23:59:59.000001Z',
  'the last second': '9999-12-31T23:59:59.9999999Z',
  'beyond the last year by its zone': '9999-12-31T23:59:59.000000-01:00',
  'before the first year by its zone': '0001-01-01T00:00:00.000000+01:00',
  'five digits of a year': '10000-01-01T00:00:00.000000Z',
  'a year of three digits': '999-01-01T00:00:00.000000Z',
  'a leap day': '2000-02-29T00:00:00.000000Z',
  'no leap day': '1900-02-29T00:00:00.000000Z',
  'a month of 13': '2001-13-01T00:00:00.000000Z',
  'a minute of 60': '2001-01-01T00:60:00.000000Z',
  'a dot without digits': '2001-01-01T00:00:00.Z',
  'a blank before it': ' 2001-01-01T00:00:00.000000Z',
  'a blank after it': '2001-01-01T00:00:00.000000Z ',
  'other digits': '２001-01-01T00:00:00.000000Z',
  'a sign': '+2001-01-01T00:00:00.000000Z',
  'a fraction of a minute': '2001-01-01T00:00.5Z',
};
const others: { readonly [name: string]: unknown } = {
  'a fraction': 981_173_106.5,
  'a large number': 1e300,
  'a list': ['2001-02-03T04:05:06Z'],
  'an object': { seconds: 1 },
  true: true,
  'a text of null': 'null',
};

const id = (name: string): string => name.replaceAll(' ', '-').toLowerCase();

function timeSteps(time: unknown, name: string): readonly Step[] {
  const own = id(name);
  const other = `${leases}/other?dryRun=All`;
  const spec = { renewTime: time, acquireTime: time, leaseDurationSeconds: 1 };
  return [
    post(`lease in YAML: ${name}`, leases, lease(own, spec), { form: 'yaml', accept: 'application/yaml' }),
    post(`lease in CBOR: ${name}`, `${leases}?dryRun=All`, lease(`${own}-c`, spec), { form: 'cbor' }),
    put(`lease again: ${name}`, `${leases}/${own}`, lease(own, spec)),
    patch(`is it that: ${name}`, 'json', `${leases}/${own}`, [{ op: 'test', path: '/spec/renewTime', value: time }]),
    patch(`merged again: ${name}`, 'merge', `${leases}/${own}`, { spec: { renewTime: time } }),
    apply(`applied: ${name}`, `${leases}/${own}`, lease(own, { renewTime: time }), 'one'),
    apply(
      `applied by another: ${name}`,
      `${leases}/${own}`,
      lease(own, { renewTime: '2002-02-03T04:05:06.000007Z' }),
      'two',
    ),
    get(`in protobuf: ${name}`, `${leases}/${own}`, { accept: protobufType }),
    get(`in CBOR: ${name}`, `${leases}/${own}`, { accept: 'application/cbor' }),
    patch(`strategic: ${name}`, 'strategic', other, { spec: { acquireTime: time } }),
    patch(`replaced: ${name}`, 'json', other, [{ op: 'replace', path: '/spec/renewTime', value: time }]),
    post(`event: ${name}`, `${events}?dryRun=All`, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: own, namespace: space },
      involvedObject: { namespace: space, name: 'a', kind: 'Pod' },
      eventTime: time,
      firstTimestamp: time,
      reportingComponent: 'a.example/b',
      reportingInstance: 'c',
      action: 'a',
      reason: 'r',
      type: 'Normal',
      series: { count: 2, lastObservedTime: time },
    }),
    patch(`condition: ${name}`, 'merge', `${places.pods(space)}/a/status?dryRun=All`, {
      status: { conditions: [{ type: 'x', status: 'True', lastProbeTime: time }], startTime: time },
    }),
  ];
}

/** Reports: leases of clients whose times have other fractions, zones or forms. */
export const microTimes = script(
  space,
  inNamespace(space),
  post('a lease', leases, lease('other', { renewTime: '2001-02-03T04:05:06.000007Z' })),
  post('a pod', places.pods(space), pod('a')),
  forEach({ ...times, ...others }, timeSteps),
  forEach(times, (time, name) =>
    post(
      `unquoted: ${name}`,
      `${leases}?dryRun=All`,
      `apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: y}\nspec:\n  renewTime: ${time}\n`,
      { contentType: 'application/yaml' },
    ),
  ),
);
