import { define, definition, definitionsPath } from '../definitions.ts';
import { places } from '../objects.ts';
import { script, type Step } from '../script.ts';
import { apply, get, inNamespace, patch, post, put } from '../steps.ts';

const space = 'zero-signs';
const custom = {
  group: 'zero-signs.example.com',
  plural: 'signs',
  kind: 'Sign',
  properties: {
    spec: {
      type: 'object',
      properties: {
        whole: { type: 'integer' },
        number: { type: 'number' },
        text: { type: 'string' },
        either: { 'x-kubernetes-int-or-string': true },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
} as const;
const signs = places.custom(custom.group, custom.plural, space);
const revisions = `/apis/apps/v1/namespaces/${space}/controllerrevisions`;
const budgets = `/apis/policy/v1/namespaces/${space}/poddisruptionbudgets`;

/** As they are written. */
const zeros = ['-0', '-0.0', '-0e0', '0.0', '-0E-3', '0e5'];

/** Objects with `#` where the zero is, and what patches put there; their errors show the zero or are about it. */
const bodies: { readonly [name: string]: { readonly path: string; readonly body: string; readonly patch: string } } = {
  replicas: {
    path: places.deployments(space),
    body: '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"NAME"},"spec":{"replicas":#,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}',
    patch: '{"spec":{"replicas":#}}',
  },
  'another field': {
    path: places.deployments(space),
    body: '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"NAME"},"spec":{"replicas":#,"paused":"x","selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}',
    patch: '{"spec":{"replicas":#,"paused":"x"}}',
  },
  'a text': {
    path: places.configMaps(space),
    body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"NAME"},"data":{"a":#}}',
    patch: '{"data":{"a":#}}',
  },
  'a label': {
    path: places.configMaps(space),
    body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"NAME","labels":{"a":#}}}',
    patch: '{"metadata":{"labels":{"a":#,"b":[#]}}}',
  },
  'an unknown field': {
    path: places.configMaps(space),
    body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"NAME"},"other":#,"data":5}',
    patch: '{"other":#,"data":5}',
  },
  'a quantity': {
    path: places.pods(space),
    body: '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"NAME"},"spec":{"containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":#}}}]}}',
    patch: '{"spec":{"containers":[{"name":"c","resources":{"limits":{"memory":#}}}]}}',
  },
  either: {
    path: budgets,
    body: '{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"NAME"},"spec":{"minAvailable":#,"selector":{}}}',
    patch: '{"spec":{"minAvailable":#}}',
  },
  'raw data': {
    path: revisions,
    body: '{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"NAME"},"revision":#,"data":{"a":#,"b":[#]}}',
    patch: '{"data":{"a":#,"c":{"d":#}}}',
  },
  custom: {
    path: signs,
    body: '{"apiVersion":"zero-signs.example.com/v1","kind":"Sign","metadata":{"name":"NAME"},"spec":{"whole":#,"number":#,"free":{"a":#}}}',
    patch: '{"spec":{"whole":#,"number":#,"free":{"b":[#]}}}',
  },
  'a custom text': {
    path: signs,
    body: '{"apiVersion":"zero-signs.example.com/v1","kind":"Sign","metadata":{"name":"NAME"},"spec":{"text":#,"either":#}}',
    patch: '{"spec":{"text":#,"either":#,"free":{"b":[#]}}}',
  },
  'a custom label': {
    path: signs,
    body: '{"apiVersion":"zero-signs.example.com/v1","kind":"Sign","metadata":{"name":"NAME","labels":{"a":#},"generation":#}}',
    patch: '{"metadata":{"labels":{"a":#},"annotations":{"b":[#]}}}',
  },
};

const ofType = { contentType: 'application/json' };

function stepsOf(zero: string): readonly Step[] {
  return Object.entries(bodies).flatMap(([what, { path, body, patch: change }]) => {
    const id = `${what.replaceAll(' ', '-')}-${String(zeros.indexOf(zero))}`;
    const called = (how: string): string => `${zero}: ${what}: ${how}`;
    const named = (name: string, value: string): string => body.replace('NAME', name).replaceAll('#', value);
    const changed = change.replaceAll('#', zero);
    const good = JSON.stringify({
      ...(JSON.parse(body.replace('NAME', `${id}-g`).replaceAll('#', '1')) as object),
      data: undefined,
    });
    const operation = (op: string, at: string): string => `[{"op":"${op}","path":"${at}","value":${zero}}]`;
    const first = Object.keys(JSON.parse(changed) as object)[0] ?? '';
    return [
      post(called('post'), path, named(id, zero), ofType),
      post(called('post YAML'), `${path}?dryRun=All`, named(`${id}-y`, zero), { contentType: 'application/yaml' }),
      post(called('strictly'), `${path}?dryRun=All&fieldValidation=Strict`, named(`${id}-s`, zero), ofType),
      post(called('good'), path, good, ofType),
      patch(called('merge'), 'merge', `${path}/${id}-g`, changed),
      patch(called('strategic'), 'strategic', `${path}/${id}-g`, changed),
      patch(called('add'), 'json', `${path}/${id}-g`, operation('add', `/${first}/zero`)),
      patch(called('test'), 'json', `${path}/${id}-g`, operation('test', `/${first}`)),
      patch(
        called('add and test'),
        'json',
        `${path}/${id}-g`,
        `[{"op":"add","path":"/metadata/zero","value":0},{"op":"test","path":"/metadata/zero","value":${zero}}]`,
      ),
      apply(called('apply'), `${path}/${id}-a`, named(`${id}-a`, zero)),
      apply(called('apply YAML'), `${path}/${id}-b`, named(`${id}-b`, zero).replaceAll('"', "'")),
      put(called('put'), `${path}/${id}-g`, named(`${id}-g`, zero), ofType),
      get(called('get'), `${path}/${id}-g`),
    ];
  });
}

/** A definition whose schema has zeros. */
function schemaSteps(zero: string): readonly Step[] {
  const id = `zeros${String(zeros.indexOf(zero))}`;
  const properties = {
    a: { type: 'number', minimum: '#', maximum: '#', default: '#', enum: ['#', 1] },
    b: { type: 'integer', default: '#' },
    c: { type: 'string', default: '#', maxLength: '#' },
    d: { type: 'number', multipleOf: '#' },
  };
  const body = JSON.stringify(definition({ ...custom, plural: id, kind: id.toUpperCase(), properties }));
  const text = body.replaceAll('"#"', zero);
  return [
    post(`${zero}: a definition`, `${definitionsPath}?dryRun=All`, text, ofType),
    post(`${zero}: a definition in YAML`, `${definitionsPath}?dryRun=All`, text, { contentType: 'application/yaml' }),
    apply(`${zero}: an applied definition`, `${definitionsPath}/${id}.${custom.group}?dryRun=All`, text),
  ];
}

/** Zeros with a sign, as integers and floats, wherever bodies have numbers. */
export const zeroSigns = script(
  space,
  inNamespace(space),
  define(custom),
  zeros.flatMap(stepsOf),
  zeros.flatMap(schemaSteps),
);
