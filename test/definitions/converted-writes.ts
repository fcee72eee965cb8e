import type { JsonObject } from '../../src/api/json.ts';
import { group, ship } from './definitions.ts';
import { nameFields, type Version } from './play-converted-writes.ts';

/* Writes of one ship in a version, in order. */

export interface Write {
  readonly method: string;
  /** Of the path of ships; absent: the ship. */
  readonly suffix?: string;
  /** Absent: the version that is played. */
  readonly through?: Version;
  readonly body?: unknown;
  readonly contentType?: string;
}

/** Made from the latest answer. */
type MakeWrite = (current: JsonObject) => Write;

export function writesOf(name: string, version: Version): { readonly [step: string]: MakeWrite } {
  const other = version === 'v1' ? 'v2' : 'v1';
  const spec = (more: object = {}): object => ({ [nameFields[version]]: 'a', own: 'o', ...more });
  const parts = [{ name: 'x', size: 1, own: 'p' }, { name: 'y' }];
  const put =
    (change: (current: JsonObject) => object, query = ''): MakeWrite =>
    (current) => ({
      ...{ method: 'PUT', suffix: `/${name}${query}`, body: change(current) },
    });
  const respecified =
    (fields: object) =>
    (current: JsonObject): object => ({
      ...{ ...current, spec: { ...(current['spec'] as object), ...fields } },
    });
  const merged =
    (body: object, suffix = '?fieldManager=m'): MakeWrite =>
    () => ({
      ...{ method: 'PATCH', suffix: `/${name}${suffix}`, contentType: 'application/merge-patch+json', body },
    });
  const patched =
    (...body: readonly object[]): MakeWrite =>
    () => ({
      ...{ method: 'PATCH', suffix: `/${name}?fieldManager=j`, contentType: 'application/json-patch+json', body },
    });
  const applied =
    (
      fields: object,
      { manager = 'a', through = version, force = true, part = '', more = {}, query = '' } = {},
    ): MakeWrite =>
    () => ({
      ...{ method: 'PATCH', through, contentType: 'application/apply-patch+yaml' },
      suffix: `/${name}${part}?fieldManager=${manager}&force=${force}${query}`,
      body: { ...ship(name, { [nameFields[through]]: 'b', ...fields }, through), ...more },
    });
  const scale = (replicas: number): object => ({
    ...{ kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: { name }, spec: { replicas } },
  });
  return {
    ...{ 'create dry': () => ({ method: 'POST', suffix: '?dryRun=All', body: ship(name, spec({ parts }), version) }) },
    create: () => ({
      ...{ method: 'POST', suffix: '?fieldManager=maker', body: ship(name, spec({ parts, tags: ['t'] }), version) },
    }),
    'create again': () => ({ method: 'POST', suffix: '', body: ship(name, spec(), version) }),
    'put the same': put((current) => current, '?fieldManager=p'),
    'put the same again': put((current) => current, '?fieldManager=p'),
    'put the same dry': put((current) => current, '?fieldManager=p&dryRun=All'),
    'put a list': put(respecified({ parts: [{ name: 'y', own: 'q' }, { name: 'z' }] }), '?fieldManager=p'),
    'put without the version': put(({ metadata, ...current }) => ({ ...current, metadata: { name } })),
    'merge a list': merged({ spec: { parts: [{ name: 'z', size: 3 }], tags: ['t', 'u'], numbers: [1] } }),
    'merge a null': merged({ spec: { own: null, tags: null } }),
    'merge labels': merged({ metadata: { labels: { l: 'm' } } }),
    'merge the same labels': merged({ metadata: { labels: { l: 'm' } } }, '?fieldManager=other'),
    'merge no owners': merged({ metadata: { managedFields: [] } }),
    'merge one empty owner': merged({ metadata: { managedFields: [{}] } }),
    'merge through the other version': () => ({
      ...merged({ metadata: { annotations: { n: 'o' } } }, '?fieldManager=o')({}),
      through: other,
    }),
    'patch an item': patched(
      { op: 'add', path: '/spec/parts', value: parts },
      { op: 'add', path: '/spec/own', value: 'j' },
    ),
    'patch with a test': patched({ op: 'test', path: `/spec/${nameFields[version]}`, value: 'a' }),
    'patch with a test of what is lost': patched({ op: 'test', path: '/spec/own', value: 'j' }),
    'apply over others': applied({ parts: [{ name: 'x', size: 2 }] }, { force: false }),
    'apply by force': applied({ parts: [{ name: 'x', size: 2 }] }),
    'apply the same': applied({ parts: [{ name: 'x', size: 2 }] }),
    'apply through the other version': applied(
      { parts: [{ name: 'x', size: 4 }] },
      { manager: 'b', through: other, force: false },
    ),
    'apply through it by force': applied(
      { parts: [{ name: 'x', size: 4 }], own: 'b' },
      { manager: 'b', through: other },
    ),
    'apply through it with less': applied({}, { manager: 'b', through: other }),
    'apply as the same manager through it': applied({ tags: ['a'] }, { through: other }),
    'apply again here': applied({ given: 'g', own: 'a' }),
    'apply dry': applied({ given: 'h' }, { query: '&dryRun=All' }),
    'apply less': applied({}),
    'put status': (current) => ({
      ...{ method: 'PUT', suffix: `/${name}/status?fieldManager=s` },
      body: { ...current, status: { phase: 'p', own: 'o', replicas: 1 } },
    }),
    'merge status': merged({ status: { phase: 'q' }, spec: { own: 'unseen' } }, '/status?fieldManager=s'),
    'merge the same status': merged({ status: { phase: 'q' } }, '/status?fieldManager=t'),
    'apply status': applied({}, { part: '/status', manager: 'u', more: { status: { phase: 'r' } } }),
    'apply status through the other version': applied(
      {},
      { part: '/status', manager: 'u', through: other, more: { status: { own: 'r' } } },
    ),
    'put scale': () => ({ method: 'PUT', suffix: `/${name}/scale?fieldManager=c`, body: scale(2) }),
    'put the same scale': () => ({ method: 'PUT', suffix: `/${name}/scale?fieldManager=d`, body: scale(2) }),
    'merge scale': merged({ spec: { replicas: 3 } }, '/scale?fieldManager=c'),
    'after the scale': () => ({ method: 'GET' }),
    'as kubectl did': merged(
      { metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' } }, spec: { own: 'k' } },
      '?fieldManager=kubectl-client-side-apply',
    ),
    'as kubectl does': applied({ own: 'k' }, { manager: 'kubectl', force: false }),
    'put what is not there': () => ({ method: 'PUT', suffix: '/absent', body: ship('absent', spec(), version) }),
    'apply what is not there, dry': () => ({
      ...{ method: 'PATCH', suffix: '/absent?fieldManager=a&dryRun=All', contentType: 'application/apply-patch+yaml' },
      body: ship('absent', spec({ parts }), version),
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
