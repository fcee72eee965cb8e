import type { JsonObject } from '../../../src/api/json/json.ts';
import { nameFields, type Version } from '../../definitions/converted-ships.ts';
import { group, ship } from '../../definitions/definitions.ts';

/* Writes of one ship in a version, in order. */

export interface Write {
  readonly method: string;
  /** What is appended to the path of ships; absent: the name of the ship. */
  readonly suffix?: string;
  /** Absent: the version that is played. */
  readonly through?: Version;
  readonly body?: unknown;
  readonly contentType?: string;
}

/** Made from the latest answer. */
type MakeWrite = (current: JsonObject) => Write;

interface Writes {
  readonly [step: string]: MakeWrite;
}

export function writesOf(name: string, version: Version): Writes {
  const makers = makersOf(name, version);
  return { ...creations(makers), ...changes(makers), ...applies(makers), ...parts(makers), ...endings(makers) };
}

interface Makers {
  readonly name: string;
  readonly version: Version;
  readonly other: Version;
  readonly spec: (more?: object) => object;
  readonly put: (change: (current: JsonObject) => object, query?: string) => MakeWrite;
  readonly merged: (body: object, suffix?: string, through?: Version) => MakeWrite;
  readonly patched: (...body: readonly object[]) => MakeWrite;
  readonly applied: (fields: object, how?: Apply) => MakeWrite;
}

interface Apply {
  readonly manager?: string;
  readonly through?: Version;
  readonly force?: boolean;
  readonly part?: string;
  readonly status?: object;
  readonly query?: string;
}

const items = [{ name: 'x', size: 1, own: 'p' }, { name: 'y' }];

function makersOf(name: string, version: Version): Makers {
  const apply = 'application/apply-patch+yaml';
  return {
    name,
    version,
    other: version === 'v1' ? 'v2' : 'v1',
    spec: (more = {}) => ({ [nameFields[version]]: 'a', own: 'o', ...more }),
    put:
      (change, query = '') =>
      (current) => ({ method: 'PUT', suffix: `/${name}${query}`, body: change(current) }),
    merged:
      (body, suffix = '?fieldManager=m', through = version) =>
      () => ({
        method: 'PATCH',
        suffix: `/${name}${suffix}`,
        through,
        body,
        contentType: 'application/merge-patch+json',
      }),
    patched:
      (...body) =>
      () => ({
        method: 'PATCH',
        suffix: `/${name}?fieldManager=j`,
        body,
        contentType: 'application/json-patch+json',
      }),
    applied:
      (fields, { manager = 'a', through = version, force = true, part = '', status, query = '' } = {}) =>
      () => ({
        method: 'PATCH',
        through,
        contentType: apply,
        suffix: `/${name}${part}?fieldManager=${manager}&force=${force}${query}`,
        body: {
          ...ship(name, { [nameFields[through]]: 'b', ...fields }, through),
          ...(status === undefined ? {} : { status }),
        },
      }),
  };
}

function creations({ name, version, spec }: Makers): Writes {
  const created = (query: string, more = {}) => ({
    method: 'POST',
    suffix: query,
    body: ship(name, spec(more), version),
  });
  return {
    'create dry': () => created('?dryRun=All', { parts: items }),
    create: () => created('?fieldManager=maker', { parts: items, tags: ['t'] }),
    'create again': () => created(''),
  };
}

function changes({ name, version, other, put, merged, patched }: Makers): Writes {
  const respecified = (fields: object) => (current: JsonObject) => ({
    ...current,
    spec: { ...(current['spec'] as object), ...fields },
  });
  return {
    'put the same': put((current) => current, '?fieldManager=p'),
    'put the same again': put((current) => current, '?fieldManager=p'),
    'put the same dry': put((current) => current, '?fieldManager=p&dryRun=All'),
    'put a list': put(respecified({ parts: [{ name: 'y', own: 'q' }, { name: 'z' }] }), '?fieldManager=p'),
    'put without the version': put((current) => ({ ...current, metadata: { name } })),
    'merge a list': merged({ spec: { parts: [{ name: 'z', size: 3 }], tags: ['t', 'u'], numbers: [1] } }),
    'merge a null': merged({ spec: { own: null, tags: null } }),
    'merge labels': merged({ metadata: { labels: { l: 'm' } } }),
    'merge the same labels': merged({ metadata: { labels: { l: 'm' } } }, '?fieldManager=other'),
    'merge no owners': merged({ metadata: { managedFields: [] } }),
    'merge one empty owner': merged({ metadata: { managedFields: [{}] } }),
    'merge through the other version': merged({ metadata: { annotations: { n: 'o' } } }, '?fieldManager=o', other),
    'patch an item': patched(
      { op: 'add', path: '/spec/parts', value: items },
      { op: 'add', path: '/spec/own', value: 'j' },
    ),
    'patch with a test': patched({ op: 'test', path: `/spec/${nameFields[version]}`, value: 'a' }),
    'patch with a test of what is lost': patched({ op: 'test', path: '/spec/own', value: 'j' }),
  };
}

function applies({ other, applied }: Makers): Writes {
  const [two, four] = [{ parts: [{ name: 'x', size: 2 }] }, { parts: [{ name: 'x', size: 4 }] }];
  return {
    'apply over others': applied(two, { force: false }),
    'apply by force': applied(two),
    'apply the same': applied(two),
    'apply through the other version': applied(four, { manager: 'b', through: other, force: false }),
    'apply through it by force': applied({ ...four, own: 'b' }, { manager: 'b', through: other }),
    'apply through it with less': applied({}, { manager: 'b', through: other }),
    'apply as the same manager through it': applied({ tags: ['a'] }, { through: other }),
    'apply again here': applied({ given: 'g', own: 'a' }),
    'apply dry': applied({ given: 'h' }, { query: '&dryRun=All' }),
    'apply less': applied({}),
  };
}

/** Writes of the status and the scale. */
function parts({ name, other, merged, applied }: Makers): Writes {
  const scaled = (manager: string) => () => ({
    method: 'PUT',
    suffix: `/${name}/scale?fieldManager=${manager}`,
    body: { kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: { name }, spec: { replicas: 2 } },
  });
  const status = { part: '/status', manager: 'u' };
  return {
    'put status': (current) => ({
      method: 'PUT',
      suffix: `/${name}/status?fieldManager=s`,
      body: { ...current, status: { phase: 'p', own: 'o', replicas: 1 } },
    }),
    'merge status': merged({ status: { phase: 'q' }, spec: { own: 'unseen' } }, '/status?fieldManager=s'),
    'merge the same status': merged({ status: { phase: 'q' } }, '/status?fieldManager=t'),
    'apply status': applied({}, { ...status, status: { phase: 'r' } }),
    'apply status through the other version': applied({}, { ...status, through: other, status: { own: 'r' } }),
    'put scale': scaled('c'),
    'put the same scale': scaled('d'),
    'merge scale': merged({ spec: { replicas: 3 } }, '/scale?fieldManager=c'),
    'after the scale': () => ({ method: 'GET' }),
  };
}

function endings({ name, version, spec, merged, applied }: Makers): Writes {
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{}' };
  const kubectl = '?fieldManager=kubectl-client-side-apply';
  const absent = (more = {}) => ship('absent', spec(more), version);
  return {
    'as kubectl did': merged({ metadata: { annotations }, spec: { own: 'k' } }, kubectl),
    'as kubectl does': applied({ own: 'k' }, { manager: 'kubectl', force: false }),
    'put what is not there': () => ({ method: 'PUT', suffix: '/absent', body: absent() }),
    'apply what is not there, dry': () => ({
      method: 'PATCH',
      suffix: '/absent?fieldManager=a&dryRun=All',
      body: absent({ parts: items }),
      contentType: 'application/apply-patch+yaml',
    }),
    'seen through v1': () => ({ method: 'GET', through: 'v1' }),
    'seen through v2': () => ({ method: 'GET', through: 'v2' }),
    'delete dry': () => ({ method: 'DELETE', suffix: `/${name}?dryRun=All` }),
    'hold it': merged({ metadata: { finalizers: [`${group}/hold`] } }),
    'delete what is held': () => ({ method: 'DELETE' }),
    'change what is held': merged({ spec: { own: 'last' } }),
    'let go, with a change': merged({ metadata: { finalizers: null }, spec: { own: 'gone' } }),
    'after its end': () => ({ method: 'GET' }),
  };
}
