import type { JsonObject } from '../../src/api/json/json.ts';
import type { Subresource } from '../../src/schema/resource.ts';
import type { Form } from '../compare-requests/script.ts';
import { below, pick, type Random, seeded } from '../random-objects/random.ts';
import { subresourceObject } from '../walk-schemas/bases.ts';
import { chainOf, operationsOf, sentBody, targetOf, varied, withOddities } from './bodies.ts';
import type { PlayedKind, PlayedVersion } from './kinds.ts';
import { queries, randomAccept, randomQuery } from './options.ts';
import type { Step } from './step.ts';

/** What a step is about. */
interface Subject {
  readonly version: PlayedVersion;
  readonly space: string;
  /** The names of objects. */
  readonly names: readonly string[];
}

type Make = (random: Random, subject: Subject) => Step;

const allForms: readonly Form[] = ['yaml', 'protobuf', 'cbor'];

const table: readonly (readonly [weight: number, make: Make])[] = [
  [9, create],
  [6, get],
  [8, list],
  [2, watch],
  [7, update],
  [12, patch],
  [6, apply],
  [3, remove],
  [2, collect],
  [8, subresource],
  [2, oddMethod],
  [2, oddPath],
];

export function randomStep(random: Random, kind: PlayedKind, { space, names }: Omit<Subject, 'version'>): Step {
  const version = pick(random, kind.versions);
  let at = random() * table.reduce((sum, [weight]) => sum + weight, 0);
  const row = table.find(([weight]) => (at -= weight) < 0);
  const step = (row?.[1] ?? get)(random, { version, space, names });
  return random() < 0.05 ? { ...step, headers: { ...step.headers, ...pick(random, identities) } } : step;
}

const identities: readonly { readonly [name: string]: string }[] = [
  { 'impersonate-user': 'dora' },
  { 'impersonate-user': 'dora', 'impersonate-group': 'system:masters' },
  { 'impersonate-group': 'x' },
  { 'impersonate-user': 'system:serviceaccount:default:x' },
  { 'impersonate-user': 'system:anonymous' },
  { 'impersonate-user': 'system:node:n1', 'impersonate-group': 'system:nodes' },
  { 'impersonate-user': 'dora', 'impersonate-extra-scopes': 'x' },
  { 'impersonate-uid': 'u' },
  { authorization: 'Bearer x' },
];

function accepted(random: Random): { readonly headers: { readonly accept: string } } {
  return { headers: { accept: randomAccept(random) } };
}

function one(random: Random, { version, space, names }: Subject): string {
  return `${version.collection(space)}/${pick(random, names)}`;
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function create(random: Random, subject: Subject): Step {
  const { version, space, names } = subject;
  const object = withOddities(random, varied(random, version.object(pick(random, names), space), targetOf(version)));
  const path = `${version.collection(space)}${randomQuery(random, queries.writing, { most: 2 })}`;
  return { method: 'POST', path, ...accepted(random), ...sentBody(random, object, allForms) };
}

function get(random: Random, subject: Subject): Step {
  return { method: 'GET', path: one(random, subject) + randomQuery(random, queries.reading), ...accepted(random) };
}

function list(random: Random, { version, space }: Subject): Step {
  return { method: 'GET', path: version.collection(space) + randomQuery(random, queries.listing), ...accepted(random) };
}

function watch(random: Random, subject: Subject): Step {
  const of = random() < 0.8 ? subject.version.collection(subject.space) : one(random, subject);
  const must = `watch=${pick(random, ['1', 'true', 'true', 'x'])}&timeoutSeconds=1`;
  return { method: 'GET', path: of + randomQuery(random, queries.watching, { must, most: 4 }), ...accepted(random) };
}

function update(random: Random, subject: Subject): Step {
  const { version, space } = subject;
  const path = one(random, subject);
  const to = path + randomQuery(random, queries.writing, { most: 2 });
  if (random() < 0.25) {
    const object = withOddities(random, varied(random, version.object(nameIn(path), space), targetOf(version)));
    return { method: 'PUT', path: to, ...accepted(random), ...sentBody(random, object, allForms) };
  }
  const seed = below(random, 2 ** 31);
  return { method: 'PUT', path: to, ...accepted(random), edit: { path, change: editOf(version, '', seed) } };
}

function editOf(version: PlayedVersion, name: string, seed: number): (object: JsonObject) => JsonObject {
  return (object) => {
    // Both servers' objects are changed alike.
    const random = seeded(seed);
    return withOddities(random, varied(random, object, targetOf(version, name)));
  };
}

const patchTypes = [
  'merge-patch+json',
  'merge-patch+json',
  'strategic-merge-patch+json',
  'strategic-merge-patch+json',
  'json-patch+json',
];

function patch(random: Random, subject: Subject): Step {
  return patched(random, subject.version, one(random, subject), '');
}

function patched(random: Random, version: PlayedVersion, path: string, name: string): Step {
  const type = pick(random, patchTypes);
  const target = targetOf(version, name);
  const body = type === 'json-patch+json' ? operationsOf(random) : target === undefined ? {} : chainOf(random, target);
  const to = path + randomQuery(random, queries.patching, { most: 2 });
  const text = random() < 0.05 ? pick(random, ['', '{', '[]', 'null', '{}', '"x"', '[{}]', '[null]']) : undefined;
  const contentType =
    random() < 0.04
      ? pick(random, [
          'application/json',
          '',
          'application/patch',
          'application/json-patch+json',
          'application/merge-patch+json; charset=x',
        ])
      : `application/${type}`;
  return { method: 'PATCH', path: to, ...accepted(random), body: text ?? body, contentType };
}

function apply(random: Random, subject: Subject): Step {
  const path = one(random, subject);
  const { version, space } = subject;
  return applied(random, { version, path, name: '', object: version.object(nameIn(path), space) });
}

interface Applied {
  readonly version: PlayedVersion;
  readonly path: string;
  readonly name: string;
  readonly object: JsonObject;
}

function applied(random: Random, { version, path, name, object }: Applied): Step {
  const target = targetOf(version, name);
  const { apiVersion = '', kind = '', metadata = {} } = object;
  const whole =
    random() < 0.5 || target === undefined
      ? varied(random, object, target)
      : { apiVersion, kind, metadata, ...chainOf(random, target) };
  const made = withOddities(random, whole);
  const form = pick<Form>(random, ['json', 'json', 'yaml', 'cbor']);
  const must =
    random() < 0.95
      ? `fieldManager=${pick(random, ['one', 'two', 'three'])}${random() < 0.5 ? '&force=true' : ''}`
      : '';
  const to = path + randomQuery(random, queries.patching, { must, most: random() < 0.7 ? 0 : 1 });
  const contentType = form === 'cbor' ? 'application/apply-patch+cbor' : 'application/apply-patch+yaml';
  return { method: 'PATCH', path: to, ...accepted(random), body: made, form, contentType };
}

function deleteOptions(random: Random): Pick<Step, 'body' | 'form' | 'contentType'> {
  if (random() < 0.6) return {};
  const own: JsonObject = {
    apiVersion: pick(random, ['v1', 'meta.k8s.io/v1', 'apps/v1', 'x']),
    kind: pick(random, ['DeleteOptions', 'DeleteOptions', 'x']),
  };
  const body: JsonObject = {
    ...(random() < 0.6 ? own : {}),
    ...pick<JsonObject>(random, [
      {},
      { gracePeriodSeconds: 0 },
      { gracePeriodSeconds: -1 },
      { gracePeriodSeconds: 'x' },
      { propagationPolicy: 'Orphan' },
      { propagationPolicy: 'Foreground' },
      { propagationPolicy: 'x' },
      { orphanDependents: true },
      { orphanDependents: true, propagationPolicy: 'Orphan' },
      { preconditions: { uid: '{{uid}}' } },
      { preconditions: { uid: 'x' } },
      { preconditions: { resourceVersion: '{{version}}' } },
      { preconditions: { resourceVersion: '1' } },
      { preconditions: { uid: '', resourceVersion: '' } },
      { dryRun: ['All'] },
      { dryRun: ['x'] },
      { dryRun: [] },
      { dryRun: ['All', 'All'] },
      { unknown: 1 },
      { ignoreStoreReadErrorWithClusterBreakingPotential: true },
    ]),
  };
  const form = pick<Form>(random, ['json', 'json', 'json', 'yaml', 'cbor']);
  return random() < 0.07 ? { body: pick(random, ['{', '[]', 'null', 'x', '{}']), form: 'json' } : { body, form };
}

function remove(random: Random, subject: Subject): Step {
  const path = one(random, subject) + randomQuery(random, queries.deleting, { most: 2 });
  return { method: 'DELETE', path, ...accepted(random), ...deleteOptions(random) };
}

function collect(random: Random, { version, space }: Subject): Step {
  const must = random() < 0.8 ? `labelSelector=${pick(random, ['app=x', 'app=z', 'app%21=x'])}` : '';
  const path = version.collection(space) + randomQuery(random, queries.collecting, { most: 2, must });
  return { method: 'DELETE', path, ...accepted(random), ...deleteOptions(random) };
}

function subresource(random: Random, subject: Subject): Step {
  const { version } = subject;
  const { subresources } = version.resource;
  const part = subresources.length === 0 || random() < 0.05 ? undefined : pick(random, subresources);
  const path = one(random, subject);
  if (part === undefined) {
    const name = pick(random, ['status', 'scale', 'log', 'exec', 'x', 'eviction', 'finalize', 'token', 'resize']);
    return {
      method: pick(random, ['GET', 'PUT', 'POST', 'PATCH', 'DELETE']),
      path: `${path}/${name}`,
      ...accepted(random),
    };
  }
  return ofSubresource(random, { subject, path, part });
}

function ofSubresource(
  random: Random,
  {
    subject: { version },
    path,
    part,
  }: { readonly subject: Subject; readonly path: string; readonly part: Subresource },
): Step {
  const to = `${path}/${part.name}`;
  if (random() < 0.25 || part.schema === undefined) {
    const more = part.schema === undefined ? pick(random, streamQueries) : '';
    const method = part.schema === undefined ? pick(random, ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) : 'GET';
    return { method, path: to + (more === '' ? randomQuery(random, queries.reading) : more), ...accepted(random) };
  }
  const isOfKind = part.schema.name === version.resource.schema.name;
  const start = (): JsonObject =>
    isOfKind ? { ...version.base.object, metadata: { name: nameIn(path) } } : subresourceObject(part, nameIn(path));
  const query = (): string => randomQuery(random, queries.writing, { most: 2 });
  if (part.verbs.includes('create')) {
    const object = withOddities(random, varied(random, start(), targetOf(version, part.name)));
    return { method: 'POST', path: to + query(), ...accepted(random), ...sentBody(random, object, allForms) };
  }
  if (random() < 0.3 && part.verbs.includes('patch')) return patched(random, version, to, part.name);
  if (random() < 0.3 && part.verbs.includes('patch')) {
    return applied(random, { version, path: to, name: part.name, object: start() });
  }
  const seed = below(random, 2 ** 31);
  const read = part.verbs.includes('get') ? to : path;
  return {
    method: 'PUT',
    path: to + query(),
    ...accepted(random),
    edit: { path: read, change: editOf(version, part.name, seed) },
  };
}

const streamQueries = [
  '',
  '?container=x',
  '?container=plotter',
  '?follow=true',
  '?tailLines=-1',
  '?sinceSeconds=0',
  '?limitBytes=0',
  '?command=ls',
  '?command=ls&stdout=true',
  '?stdin=true&tty=true',
  '?ports=80',
  '?ports=x',
  '/a/b',
  '?path=a',
  '?sinceTime=x',
  '?stream=Stdout',
  '?stream=x',
];

function oddMethod(random: Random, subject: Subject): Step {
  const { version, space } = subject;
  const method = pick(random, ['POST', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'CONNECTED', 'GET', 'DELETE']);
  const path = pick(random, [
    version.collection(space),
    one(random, subject),
    version.root,
    '/api',
    '/apis',
    '/version',
    '/healthz',
  ]);
  return {
    method,
    path,
    ...accepted(random),
    ...(random() < 0.5 && method !== 'HEAD' ? { body: version.object('a', space), form: 'json' as const } : {}),
  };
}

function oddPath(random: Random, subject: Subject): Step {
  const { version, space } = subject;
  const of = one(random, subject);
  const collection = version.collection(space);
  const { plural, group } = version.resource;
  const path = pick(random, [
    `${of}/`,
    `${collection}/`,
    of.replace('/namespaces/', '/namespaces//'),
    `${version.root}/${plural}/a`,
    `${version.root}/${plural}`,
    `${version.root}/namespaces`,
    `${version.root}/namespaces/${space}`,
    `${version.root}/namespaces/${space}/`,
    `${version.root}/watch/namespaces/${space}/${plural}?timeoutSeconds=1`,
    `${version.root}/watch/${plural}?timeoutSeconds=1&fieldSelector=metadata.namespace%3D${space}`,
    `${of}%2Fstatus`,
    `${of}/status/x`,
    of.toUpperCase(),
    `${version.root}x`,
    version.root,
    `${version.root}/`,
    `/apis/${group}`,
    `/apis/${group}/`,
    `/apis/${group}/v9`,
    `/apis/${group}/v9/${plural}`,
    `${of}?watch=1&timeoutSeconds=1`,
    `${collection}/a%20b`,
    `${collection}/%00`,
    `${collection}/..`,
    `${collection}/.`,
    `${collection}/a%2e`,
    `/${collection}`,
    `${collection}//a`,
    `${of}?a=%zz`,
    `${of}?a;b`,
    collection.replace(space, 'absent'),
    collection.replace(space, 'Bad_name'),
    collection.replace(space, '%20'),
  ]);
  const method = pick(random, ['GET', 'GET', 'GET', 'GET', 'POST', 'DELETE', 'PUT']);
  const body = method === 'POST' || method === 'PUT' ? { body: version.object('a', space), form: 'json' as const } : {};
  return { method, path, ...accepted(random), ...body };
}
