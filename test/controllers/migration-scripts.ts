import type { Script, Step } from './script.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const migrations = '/apis/storagemigration.k8s.io/v1/storageversionmigrations';
const group = 'migrating.example.com';

const schema = { openAPIV3Schema: { type: 'object', properties: { size: { type: 'integer' } } } };
const versions = (stored: string): object[] =>
  ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === stored, schema }));

function post(path: string, body: object): Step {
  return { method: 'POST', path, body };
}

function definition(plural: string, kind: string): Step {
  const names = { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` };
  const spec = { group, scope: 'Namespaced', names, versions: versions('v1') };
  return post(definitions, { metadata: { name: `${plural}.${group}` }, spec });
}

function stores(plural: string, version: string): Step {
  return {
    method: 'PATCH',
    path: `${definitions}/${plural}.${group}`,
    body: { spec: { versions: versions(version) } },
  };
}

function migration(name: string, resource: object): Step {
  return post(migrations, { metadata: { name }, spec: { resource } });
}

function gizmo(name: string): Step {
  const metadata = { name };
  return post(`/apis/${group}/v1/namespaces/default/gizmos`, { apiVersion: `${group}/v1`, kind: 'Gizmo', metadata });
}

export const migrationScripts: readonly Script[] = [
  {
    name: 'objects are migrated to another version',
    restMs: 90_000, // until its garbage collector has heard of a later revision
    steps: [
      definition('gizmos', 'Gizmo'),
      { pauseMs: 2000 },
      ...['a', 'b', 'c'].map(gizmo),
      stores('gizmos', 'v2'),
      { pauseMs: 1000 },
      migration('gizmos', { group, resource: 'gizmos' }),
      { pauseMs: 100 },
      migration('gizmos-again', { group, resource: 'gizmos' }),
      ...['x', 'y'].map((name) =>
        post('/api/v1/namespaces/default/podtemplates', {
          metadata: { name },
          template: { spec: { containers: [{ name: 'c', image: 'i' }] } },
        }),
      ),
      migration('templates', { resource: 'podtemplates' }),
      migration('nothing', { group: 'batch', resource: 'cronjobs' }),
    ],
    reads: [
      ...['gizmos', 'gizmos-again', 'templates', 'nothing'].map((name) => `${migrations}/${name}`),
      `${definitions}/gizmos.${group}`,
    ],
  },
  {
    name: 'what is not stored is not migrated',
    steps: [
      migration('stored-nowhere', { resource: 'bindings' }),
      migration('reviewed', { group: 'authentication.k8s.io', resource: 'tokenreviews' }),
      migration('composed', { resource: 'componentstatuses' }),
      migration('asked', { group: 'authorization.k8s.io', resource: 'localsubjectaccessreviews' }),
    ],
    reads: ['stored-nowhere', 'reviewed', 'composed', 'asked'].map((name) => `${migrations}/${name}`),
  },
];
