import { configMap, deployment, instance, places, podSpec, secret, service } from '../objects.ts';
import { define } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, put, remove } from '../steps.ts';

const space = 'repeated';
const custom = {
  group: 'repeated.example.com',
  plural: 'loops',
  kind: 'Loop',
  properties: {
    spec: {
      type: 'object',
      properties: {
        defaulted: { type: 'string', default: 'd' },
        nested: { type: 'object', default: {}, properties: { deep: { type: 'integer', default: 3 } } },
        any: { 'x-kubernetes-int-or-string': true },
        amount: { type: 'number' },
        items: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, size: { type: 'string', default: 's' } },
          },
        },
      },
    },
  },
} as const;
const loops = places.custom(custom.group, custom.plural, space);

interface Subject {
  readonly collection: string;
  readonly of: (variant: number) => object;
}

const templated = (container: object): object => ({
  template: { metadata: { labels: { app: 'x' } }, spec: podSpec(container) },
});
/** Variants 0 and 1 differ; 2 writes what 0 writes otherwise. */
const subjects: { readonly [name: string]: Subject } = {
  'config map': {
    collection: places.configMaps(space),
    of: (variant) =>
      configMap('a', variant === 1 ? { a: '1', b: '2' } : { a: '1' }, variant === 2 ? { labels: {} } : {}),
  },
  'secret with texts': {
    collection: places.secrets(space),
    of: (variant) =>
      secret('a', variant === 2 ? { data: { a: 'eA==' } } : { stringData: { a: variant === 1 ? 'y' : 'x' } }),
  },
  service: {
    collection: places.services(space),
    of: (variant) =>
      service('a', {
        ports: [
          {
            port: 80,
            ...(variant === 2 ? { protocol: 'TCP', targetPort: 80 } : {}),
            ...(variant === 1 ? { targetPort: 81 } : {}),
          },
        ],
      }),
  },
  quantities: {
    collection: places.deployments(space),
    of: (variant) =>
      deployment(
        'a',
        templated({
          resources: { limits: { cpu: ['1', '2', '1000m'][variant], memory: ['1Gi', '2Gi', '1024Mi'][variant] } },
        }),
      ),
  },
  loop: {
    collection: loops,
    of: (variant) =>
      instance(custom, 'a', {
        spec: {
          any: [1, '1', 1][variant],
          amount: [1, 1.5, 1][variant],
          items: [{ name: 'x' }, ...(variant === 1 ? [{ name: 'y', size: 't' }] : [])],
          ...(variant === 2 ? { nested: {} } : {}),
        },
      }),
  },
};

function storyOf({ collection, of }: Subject, name: string): readonly Step[] {
  const one = `${collection}/${(of(0) as { readonly metadata: { readonly name: string } }).metadata.name}`;
  const called = (text: string): string => `${name}: ${text}`;
  return [
    apply(called('apply'), one, of(0)),
    apply(called('the same'), one, of(0)),
    apply(called('the same by another'), one, of(0), 'two'),
    apply(called('the same by another again'), one, of(0), 'two'),
    apply(called('written otherwise'), one, of(2), 'one&force=true'),
    apply(called('a change'), one, of(1), 'one'),
    apply(called('a change with force'), one, of(1), 'one&force=true'),
    apply(called('the other returns'), one, of(0), 'two'),
    apply(called('the other returns with force'), one, of(0), 'two&force=true'),
    apply(called('as a dry run'), `${one}?dryRun=All`, of(1), 'one&force=true'),
    patch(called('an empty patch'), 'merge', one, {}),
    put(called('a PUT of it'), `${one}?fieldManager=one`, of(0)),
    apply(called('after the PUT'), one, of(0), 'one&force=true'),
    apply(
      called('by a third, with less'),
      one,
      { ...(of(0) as object), spec: undefined, data: undefined, stringData: undefined },
      'three',
    ),
    apply(called('as YAML'), one, of(0), 'one&force=true', { form: 'yaml' }),
    get(called('get'), one),
    remove(called('delete'), one),
    apply(called('once more'), one, of(1)),
  ];
}

/** Reports: generation and resource version rise, or owners multiply, although nothing changes. */
export const repeatedApplies = script(
  'repeated-applies',
  inNamespace(space),
  define(custom),
  forEach(subjects, storyOf),
);
