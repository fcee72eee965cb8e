import { places, pod, podSpec } from '../objects.ts';
import { define } from '../definitions.ts';
import { type Step, script } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put, tableType } from '../steps.ts';

const space = 'table-times';
const inSpace = (group: string, plural: string): string => `/apis/${group}/namespaces/${space}/${plural}`;

const times: { readonly [name: string]: unknown } = {
  zero: '0001-01-01T00:00:00Z',
  'zero elsewhere': '0001-01-01T01:00:00+01:00',
  'after zero': '0001-01-01T00:00:01Z',
  null: null,
  old: '1970-01-01T00:00:00Z',
  older: '1066-10-14T12:00:00Z',
  recent: '2020-02-29T23:59:59Z',
  future: '2200-01-01T00:00:00Z',
  'far future': '9999-12-31T23:59:59Z',
};

function tables(path: string): readonly Step[] {
  return ['', '?includeObject=Object'].map((query) =>
    get(`table${query} ${path}`, `${path}${query}`, { accept: tableType }),
  );
}

const jobs = inSpace('batch/v1', 'jobs');
const cronJobs = inSpace('batch/v1', 'cronjobs');
const coreEvents = `/api/v1/namespaces/${space}/events`;
const events = inSpace('events.k8s.io/v1', 'events');
const pods = places.pods(space);

function job(name: string): object {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    // Absent ones are set on each write.
    metadata: { name, labels: { app: 'x' } },
    spec: { template: { spec: podSpec({}, { restartPolicy: 'Never' }) } },
  };
}

const jobStatuses: { readonly [name: string]: object } = Object.fromEntries([
  ...Object.entries(times).map(([name, startTime]) => [`start ${name}`, { startTime }]),
  ...Object.entries(times).map(([name, completionTime]) => [
    `end ${name}`,
    {
      startTime: '2020-01-01T00:00:00Z',
      completionTime,
      conditions: ['SuccessCriteriaMet', 'Complete'].map((type) => ({ type, status: 'True' })),
    },
  ]),
]);

const id = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

const leases = inSpace('coordination.k8s.io/v1', 'leases');
const zero = '0001-01-01T00:00:00Z';
const zeroMicro = '0001-01-01T00:00:00.000000Z';

/** Objects with pointers to times besides those that are columns. */
const others: { readonly [name: string]: { readonly path: string; readonly body: object; readonly status?: object } } =
  {
    lease: {
      path: leases,
      body: {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        spec: { holderIdentity: 'a', acquireTime: zeroMicro, renewTime: zeroMicro },
      },
    },
    node: {
      path: '/api/v1/nodes',
      body: {
        apiVersion: 'v1',
        kind: 'Node',
        spec: {
          taints: [
            { key: 'a', effect: 'NoExecute', timeAdded: zero },
            { key: 'b', effect: 'NoExecute' },
          ],
        },
      },
      status: { conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: zero }] },
    },
    'pod template': {
      path: `/api/v1/namespaces/${space}/podtemplates`,
      body: {
        apiVersion: 'v1',
        kind: 'PodTemplate',
        template: { metadata: { creationTimestamp: zero, deletionTimestamp: zero }, spec: podSpec() },
      },
    },
    volume: {
      path: '/api/v1/persistentvolumes',
      body: {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' } },
      },
      status: { lastPhaseTransitionTime: zero },
    },
    autoscaler: {
      path: inSpace('autoscaling/v2', 'horizontalpodautoscalers'),
      body: {
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' } },
      },
      status: { currentReplicas: 1, desiredReplicas: 1, lastScaleTime: zero },
    },
  };

/** Each other form, and a change that leaves the time alone. */
function otherSteps({ path, body, status }: (typeof others)[string], name: string): readonly Step[] {
  const one = `${path}/times-${id(name)}`;
  const metadata = { name: `times-${id(name)}` };
  return [
    post(`create ${name}`, path, { ...body, metadata }),
    ...(status === undefined ? [] : [patch(`status of ${name}`, 'merge', `${one}/status`, { status })]),
    ...tables(one),
    get(`${name} as protobuf`, one, { accept: 'application/vnd.kubernetes.protobuf' }),
    get(`${name} as CBOR`, one, { accept: 'application/cbor' }),
    patch(`label ${name}`, 'strategic', one, { metadata: { labels: { a: 'b' } } }),
    apply(`apply ${name}`, one, { ...body, metadata }, 'two&force=true'),
    get(`${name} after that`, one),
    get(`${name} as protobuf after that`, one, { accept: 'application/vnd.kubernetes.protobuf' }),
  ];
}

export const tableTimes = script(
  'table-times',
  inNamespace(space),
  forEach(jobStatuses, (status, name) => [
    post(`create job ${name}`, jobs, job(id(name))),
    put(`job ${name}`, `${jobs}/${id(name)}/status`, { ...job(id(name)), status }),
    patch(`merge job ${name}`, 'merge', `${jobs}/${id(name)}/status`, { status }),
    ...tables(`${jobs}/${id(name)}`),
  ]),
  tables(jobs),
  forEach(times, (lastScheduleTime, name) => [
    post(`create cron job ${name}`, cronJobs, {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: id(name) },
      spec: {
        schedule: '* * * * *',
        jobTemplate: { spec: { template: { spec: podSpec({}, { restartPolicy: 'Never' }) } } },
      },
    }),
    patch(`cron job ${name}`, 'merge', `${cronJobs}/${id(name)}/status`, { status: { lastScheduleTime } }),
    apply(`apply cron job ${name}`, `${cronJobs}/${id(name)}/status`, {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      status: { lastScheduleTime },
    }),
  ]),
  tables(cronJobs),
  forEach(times, (time, name) =>
    forEach(
      {
        both: { firstTimestamp: time, lastTimestamp: time },
        first: { firstTimestamp: time },
        last: { lastTimestamp: time },
        'first of two': { firstTimestamp: time, lastTimestamp: '2019-01-01T00:00:00Z' },
        'last of two': { firstTimestamp: '2019-01-01T00:00:00Z', lastTimestamp: time },
        event: { eventTime: time, reportingComponent: 'a', reportingInstance: 'b', action: 'c', reason: 'd' },
        series: {
          eventTime: '2019-01-01T00:00:00Z',
          reportingComponent: 'a',
          reportingInstance: 'b',
          action: 'c',
          reason: 'd',
          series: { count: 3, lastObservedTime: time },
        },
        'series of two': { firstTimestamp: time, lastTimestamp: time, series: { count: 0, lastObservedTime: time } },
      },
      (fields, form) =>
        post(`event ${name} ${form}`, coreEvents, {
          apiVersion: 'v1',
          kind: 'Event',
          metadata: { name: id(`${name} ${form}`) },
          involvedObject: { kind: 'Pod', name: 'p', namespace: space },
          ...fields,
        }),
    ),
  ),
  tables(coreEvents),
  tables(events),
  forEach(times, (time, name) => [
    post(
      `create pod ${name}`,
      pods,
      pod(
        id(name),
        {},
        {
          initContainers: [
            { name: 'i', image: 'i:1', restartPolicy: 'Always' },
            { name: 'j', image: 'j:1' },
          ],
        },
      ),
    ),
    patch(`pod ${name}`, 'merge', `${pods}/${id(name)}/status`, {
      status: {
        startTime: time,
        conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: time, lastProbeTime: time }],
        containerStatuses: [
          {
            name: 'c',
            image: 'i',
            imageID: 'i',
            ready: true,
            restartCount: 2,
            state: { running: { startedAt: time } },
            lastState: { terminated: { exitCode: 1, startedAt: time, finishedAt: time } },
          },
        ],
        initContainerStatuses: [
          {
            name: 'i',
            image: 'i',
            imageID: 'i',
            ready: true,
            started: true,
            restartCount: 3,
            state: { running: { startedAt: time } },
            lastState: { terminated: { exitCode: 1, finishedAt: time } },
          },
        ],
      },
    }),
    ...tables(`${pods}/${id(name)}`),
  ]),
  tables(pods),
  forEach(others, otherSteps),
  define({
    group: 'times.example.com',
    plural: 'clocks',
    kind: 'Clock',
    properties: {
      spec: {
        type: 'object',
        properties: { time: { type: 'string' }, at: { type: 'string', format: 'date-time', nullable: true } },
      },
    },
    version: {
      additionalPrinterColumns: [
        { name: 'Time', type: 'date', jsonPath: '.spec.time' },
        { name: 'At', type: 'date', jsonPath: '.spec.at' },
        { name: 'Text', type: 'string', jsonPath: '.spec.at' },
        { name: 'Deletion', type: 'date', jsonPath: '.metadata.deletionTimestamp' },
        { name: 'Owned', type: 'date', jsonPath: '.metadata.managedFields[0].time' },
      ],
    },
  }),
  forEach(
    {
      ...times,
      lower: '2020-01-01t00:00:00z',
      comma: '2020-01-01T00:00:00,5Z',
      short: '2020-01-01T0:00:00Z',
      day: '2020-01-01',
      leap: '2020-12-31T23:59:60Z',
      'no day': '2021-02-29T00:00:00Z',
      empty: '',
      offset: '2020-01-01T00:00:00+25:00',
      many: '2020-01-01T00:00:00.1234567891234Z',
      'large year': '12020-01-01T00:00:00Z',
    },
    (time, name) => [
      post(`clock ${name}`, inSpace('times.example.com/v1', 'clocks'), {
        apiVersion: 'times.example.com/v1',
        kind: 'Clock',
        metadata: { name: id(name) },
        spec: { time: time ?? undefined, at: time },
      }),
      post(`loose clock ${name}`, inSpace('times.example.com/v1', 'clocks'), {
        apiVersion: 'times.example.com/v1',
        kind: 'Clock',
        metadata: { name: `loose-${id(name)}` },
        spec: { time: time ?? undefined },
      }),
    ],
  ),
  tables(inSpace('times.example.com/v1', 'clocks')),
);
