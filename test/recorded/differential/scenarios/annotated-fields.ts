import { get, inNamespace, metadataType, patch, post, put, scenario, type Step, tableType } from '../scenario.ts';
import { apply } from './apply-step.ts';

const namespace = 'diff-annotated';
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'nginx:1' }] } };
const workload = { selector: { matchLabels: { a: 'b' } }, template };
const workloads = [
  { plural: 'daemonsets', kind: 'DaemonSet', annotation: 'deprecated.daemonset.template.generation' },
  { plural: 'deployments', kind: 'Deployment', annotation: 'deprecated.deployment.rollback.to' },
] as const;
const values = ['7', '007', '+5', '-3', '0', 'x', '1.0', ' 7', '9223372036854775807', '9223372036854775808'];

function ofWorkload({ plural, kind, annotation }: (typeof workloads)[number]): Step[] {
  const base = `/apis/apps/v1/namespaces/${namespace}/${plural}`;
  const annotated = (name: string, value: string | undefined, spec: object = {}): object => ({
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, annotations: { note: 'n', ...(value === undefined ? {} : { [annotation]: value }) } },
    spec: { ...workload, ...spec },
  });
  const live = `${base}/live`;
  const changed = { metadata: { annotations: { [annotation]: '9' } } };
  return [
    ...values.flatMap((value) => [
      post(`${kind} ${value}`, `${base}?dryRun=All`, annotated('v', value)),
      apply(`apply ${kind} ${value}`, `${base}/v`, annotated('v', value), 'm&dryRun=All'),
    ]),
    post(`${kind} without`, base, annotated('without', undefined)),
    post(`${kind} live`, base, annotated('live', '7')),
    get(live),
    get(live, { accept: tableType }),
    get(live, { accept: metadataType }),
    ...(['merge', 'json', 'strategic'] as const).flatMap((type) =>
      ['9', 'x'].flatMap((value) => {
        const body =
          type === 'json'
            ? [{ op: 'add', path: `/metadata/annotations/${annotation}`, value }]
            : { metadata: { annotations: { [annotation]: value } } };
        return [
          patch(`${type} ${kind} ${value}`, live, { type, body }),
          patch(`${type} status of ${kind} ${value}`, `${live}/status`, { type, body }),
        ];
      }),
    ),
    put(`put ${kind} 3`, live, annotated('live', '3')),
    put(`put ${kind} without`, live, annotated('live', undefined)),
    put(`put ${kind} x`, live, annotated('live', 'x')),
    put(
      `put a template of ${kind}`,
      live,
      annotated('live', '3', { template: { ...template, metadata: { labels: { a: 'b', c: 'd' } } } }),
    ),
    patch(`strict and wrong ${kind}`, `${live}?fieldValidation=Strict`, {
      type: 'strategic',
      body: { ...changed, foo: 1 },
    }),
    apply(
      `apply status of ${kind}`,
      `${live}/status`,
      {
        apiVersion: 'apps/v1',
        kind,
        ...changed,
      },
      'm&force=true',
    ),
    apply(
      `apply x to ${kind}`,
      `${live}`,
      {
        apiVersion: 'apps/v1',
        kind,
        metadata: { annotations: { [annotation]: 'x' } },
      },
      'm&force=true',
    ),
    get(live, { name: `${kind} at the end` }),
  ];
}

const autoscalers = `/apis/autoscaling/v1/namespaces/${namespace}/horizontalpodautoscalers`;
const prefix = 'autoscaling.alpha.kubernetes.io/';
const autoscaling: readonly (readonly [name: string, value: string])[] = [
  ['metrics', '[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":7}}]'],
  ['metrics', '[{"TYPE":"Pods","Pods":{"MetricName":"m","targetaverageValue":"1500m"}}]'],
  ['metrics', '[{"type":"Pods","pods":{"metricName":5}}]'],
  ['metrics', '[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":"x"}}]'],
  ['metrics', '[{"type":"Pods","pods":null}]'],
  ['metrics', '[null]'],
  ['behavior', '{"SCALEUP":{"POLICIES":[{"TYPE":"Pods","VALUE":1,"PERIODSECONDS":5}]}}'],
  ['behavior', '{"ScaleUp":{"SelectPolicy":"Max"}}'],
  ['behavior', '{"ScaleUp":5}'],
  ['behavior', '{"Foo":1}'],
  ['conditions', '[{"type":"AbleToScale","status":"True","lastTransitionTime":"x"}]'],
  ['current-metrics', '[{"type":"Pods","pods":{"metricName":"m","currentAverageValue":"x"}}]'],
];

/** Annotations that conversions turn into fields, or back. */
export const annotatedFields = scenario('annotated-fields', [
  inNamespace(namespace),
  ...workloads.flatMap(ofWorkload),
  ...autoscaling.flatMap(([name, value], index) => {
    const metadata = { name: `h${index}`, annotations: { [`${prefix}${name}`]: value } };
    const spec = { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } };
    const newer = `${autoscalers.replace('/v1/', '/v2/')}`;
    return [
      post(`${name} ${value}`, autoscalers, { metadata, spec }),
      get(`${newer}/h${index}`),
      post(`${name} ${value} in v2`, `${newer}?dryRun=All`, { metadata: { ...metadata, name: 'v2' }, spec }),
    ];
  }),
]);
