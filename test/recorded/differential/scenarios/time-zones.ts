import { inNamespace, post, scenario } from '../scenario.ts';

const cronJobs = '/apis/batch/v1/namespaces/diff-zones/cronjobs?dryRun=All';
const containers = [{ name: 'c', image: 'i' }];
const jobTemplate = { spec: { template: { spec: { restartPolicy: 'Never', containers } } } };
const zones = [
  'Europe/Paris',
  'America/Argentina/ComodRivadavia',
  'Etc/GMT+5',
  'EST5EDT',
  'UTC',
  'Zulu',
  'GMT0',
  'Factory',
  'utc',
  'gmt',
  'zulu',
  'europe/paris',
  'EUROPE/PARIS',
  'Europe/paris',
  'est5edt',
  'local',
  'Local',
  '',
  'SystemV/EST5',
  'PST',
  'Etc/GMT+15',
  'US/Pacific-New',
  'Europe//Paris',
  'Europe/Paris/',
  '../x',
  'a..b',
  '-x',
  ' UTC',
  'UTC+1',
  'Europe\\Paris',
  '/Europe/Paris',
  '\\Europe',
  'foo',
  'é',
];

/** Names of time zones, of which case counts. */
export const timeZones = scenario('time-zones', [
  inNamespace('diff-zones'),
  ...zones.flatMap((timeZone) => [
    post(`zone ${timeZone}`, cronJobs, {
      metadata: { name: 'x' },
      spec: { schedule: '* * * * *', timeZone, jobTemplate },
    }),
    post(`schedule in ${timeZone}`, cronJobs, {
      metadata: { name: 'x' },
      spec: { schedule: `TZ=${timeZone} * * * * *`, jobTemplate },
    }),
  ]),
]);
