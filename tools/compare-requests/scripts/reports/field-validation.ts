import { define } from '../../definitions.ts';
import { places } from '../../objects.ts';
import { script, type Step } from '../../script.ts';
import { forEach, get, inNamespace, patch, post, put } from '../../steps.ts';

const space = 'field-validation';
const text = { type: 'string' };
const custom = {
  group: 'field-validation.example.com',
  plural: 'leaflets',
  kind: 'Leaflet',
  properties: {
    spec: {
      type: 'object',
      properties: {
        known: text,
        number: { type: 'integer' },
        inner: { type: 'object', properties: { a: text } },
        list: { type: 'array', items: { type: 'object', properties: { a: text } } },
        kept: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { a: { type: 'object', properties: { b: text } } },
        },
      },
    },
    status: { type: 'object', properties: { a: text } },
  },
  version: {
    subresources: { status: {}, scale: { specReplicasPath: '.spec.number', statusReplicasPath: '.status.number' } },
  },
} as const;

interface Subject {
  readonly collection: string;
  /** Bodies around `metadata`, whose name they end with `NAME`. */
  readonly bodies: { readonly [name: string]: string };
}
const leaflets = places.custom(custom.group, custom.plural, space);
const head = `"apiVersion":"${custom.group}/v1","kind":"Leaflet","metadata":{"name":"NAME"}`;
const deploymentHead = '"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"NAME"}';
const spec = (template: string, more = ''): string =>
  `"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{${template}}}${more}}`;

const subjects: { readonly [name: string]: Subject } = {
  leaflet: {
    collection: leaflets,
    bodies: {
      clean: `{${head},"spec":{"known":"x"}}`,
      unknown: `{${head},"spec":{"nope":1,"inner":{"nope":2},"list":[{"nope":3},{"a":"x","nope":4}]},"nope":5}`,
      'unknown in what is kept': `{${head},"spec":{"kept":{"any":1,"a":{"b":"x","nope":2}}}}`,
      twice: `{${head},"spec":{"known":"x","known":"y"}}`,
      'three times': `{${head},"spec":{"known":"x","known":"y","known":"z"}}`,
      'twice and unknown': `{${head},"spec":{"nope":"x","nope":"y"}}`,
      'an object twice': `{${head},"spec":{"known":"x"},"spec":{"inner":{"a":"y"}}}`,
      'twice in what is kept': `{${head},"spec":{"kept":{"x":1,"x":2}}}`,
      'twice in a list': `{${head},"spec":{"list":[{"a":"x","a":"y"},{"a":"z"}]}}`,
      'metadata twice': `{${head},"metadata":{"name":"NAME","labels":{"l":"1"}}}`,
      'unknown metadata': `{"apiVersion":"${custom.group}/v1","kind":"Leaflet","metadata":{"name":"NAME","nope":1,"labels":{"a":"b","a":"c"}}}`,
      'in other cases': `{${head},"Spec":{"known":"x"},"spec":{"Known":"x"}}`,
      'a kind twice': `{${head},"kind":"Leaflet"}`,
      'a status': `{${head},"status":{"a":"x","nope":1}}`,
      'a bad value as well': `{${head},"spec":{"known":1,"nope":2}}`,
      'dots in names': `{${head},"spec":{"a.b":1,"c/d":2,"e[0]":3,"":4," ":5}}`,
      many: `{${head},"spec":{${Array.from({ length: 20 }, (_, at) => `"n${at}":${at}`).join(',')}}}`,
    },
  },
  deployment: {
    collection: places.deployments(space),
    bodies: {
      clean: `{${deploymentHead},${spec('"containers":[{"name":"c","image":"i"}]')}}`,
      unknown: `{${deploymentHead},"nope":1,${spec('"containers":[{"name":"c","image":"i","nope":2}],"nope":3', ',"nope":4')}}`,
      twice: `{${deploymentHead},${spec('"containers":[{"name":"c","image":"i","image":"j"}]', ',"replicas":1,"replicas":2')}}`,
      'a list twice': `{${deploymentHead},${spec('"containers":[{"name":"c","image":"i"}],"containers":[{"name":"d","image":"j"}]')}}`,
      'a label twice': `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"NAME","labels":{"l":"1","l":"2"}},${spec('"containers":[{"name":"c","image":"i"}]')}}`,
      'twice and unknown': `{${deploymentHead},${spec('"containers":[{"name":"c","image":"i"}]', ',"nope":1,"nope":2')}}`,
      'in other cases': `{${deploymentHead},${spec('"Containers":[],"containers":[{"name":"c","Image":"i"}]', ',"Replicas":3')}}`,
      'in two cases': `{${deploymentHead},${spec('"containers":[{"name":"c","image":"i"}]', ',"replicas":1,"REPLICAS":2')}}`,
      'a wrong type': `{${deploymentHead},${spec('"containers":[{"name":"c","image":"i"}]', ',"replicas":"x","nope":1')}}`,
      'a fraction': `{${deploymentHead},${spec('"containers":[{"name":"c","image":"i"}]', ',"replicas":1.5')}}`,
      'too large': `{${deploymentHead},${spec('"containers":[{"name":"c","image":"i"}]', ',"replicas":3000000000')}}`,
      'an exponent': `{${deploymentHead},${spec('"containers":[{"name":"c","image":"i"}]', ',"replicas":1e1')}}`,
      'a whole fraction': `{${deploymentHead},${spec('"containers":[{"name":"c","image":"i"}]', ',"replicas":2.0')}}`,
      'a text for a boolean': `{${deploymentHead},${spec('"containers":[{"name":"c","image":"i","tty":"true"}]', ',"paused":"false"')}}`,
      'an object for a list': `{${deploymentHead},${spec('"containers":{"name":"c"}')}}`,
      'a list for an object': `{${deploymentHead},"spec":[]}`,
      'a number for a text': `{${deploymentHead},${spec('"containers":[{"name":1,"image":2}]')}}`,
      'a trailing comma': `{${deploymentHead},${spec('"containers":[{"name":"c","image":"i",}]')}}`,
      'a comment': `{${deploymentHead}, /* no */ ${spec('"containers":[]')}}`,
      'something after it': `{${deploymentHead},${spec('"containers":[{"name":"c","image":"i"}]')}} {}`,
      'half of it': `{${deploymentHead},"spec":{"template"`,
    },
  },
};

function steps({ collection, bodies }: Subject, subject: string): readonly Step[] {
  const named = (body: string, name: string): string => body.replaceAll('NAME', name);
  const one = `${collection}/a`;
  return [
    post(`${subject}: create`, collection, named(bodies['clean'] ?? '', 'a')),
    ...forEach(bodies, (body, name) =>
      ['Strict', 'Warn', 'Ignore'].flatMap((how) => {
        const query = `?dryRun=All&fieldValidation=${how}`;
        const called = (what: string): string => `${subject}: ${what} ${name}, ${how}`;
        return [
          post(called('post'), `${collection}${query}`, named(body, 'n')),
          ...(how === 'Ignore' ? [] : [put(called('put'), `${one}${query}`, named(body, 'a'))]),
          ...(how === 'Ignore' ? [] : [patch(called('merge'), 'merge', `${one}${query}`, named(body, 'a'))]),
          ...(how === 'Strict'
            ? [patch(called('apply'), 'apply', `${one}${query}&fieldManager=x&force=true`, named(body, 'a'))]
            : []),
          ...(subject === 'deployment' && how === 'Strict'
            ? [patch(called('strategic'), 'strategic', `${one}${query}`, named(body, 'a'))]
            : []),
        ];
      }),
    ),
    ...forEach({ unknown: 'Nope', empty: '', lower: 'strict', two: 'Strict&fieldValidation=Ignore' }, (how, name) =>
      post(
        `${subject}: a validation that is ${name}`,
        `${collection}?dryRun=All&fieldValidation=${how}`,
        named(bodies['unknown'] ?? '', 'n'),
      ),
    ),
    put(
      `${subject}: a scale`,
      `${one}/scale?dryRun=All&fieldValidation=Strict`,
      '{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"a"},"spec":{"replicas":1,"replicas":2,"nope":1}}',
    ),
    patch(
      `${subject}: a status`,
      'merge',
      `${one}/status?dryRun=All&fieldValidation=Strict`,
      '{"status":{"nope":1,"nope":2}}',
    ),
    patch(
      `${subject}: operations`,
      'json',
      `${one}?dryRun=All&fieldValidation=Strict`,
      '[{"op":"add","path":"/spec/nope","value":{"a":1,"a":2}},{"op":"add","op":"add","path":"/metadata/labels","value":{"a":"b","a":"c"}}]',
    ),
    patch(
      `${subject}: unknown operations`,
      'json',
      `${one}?dryRun=All&fieldValidation=Strict`,
      '[{"op":"add","path":"/metadata/annotations","value":{},"nope":1}]',
    ),
    get(`${subject}: at the end`, one),
  ];
}

/** Reports: unknown and repeated fields under each validation, through each way to write. */
export const fieldValidation = script('field-validation', inNamespace(space), define(custom), forEach(subjects, steps));
