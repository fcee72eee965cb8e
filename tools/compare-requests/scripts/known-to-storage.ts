import { places } from '../objects.ts';
import { define, schema } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { apply, get, inNamespace, patch, post, put } from '../steps.ts';

const space = 'known-to-storage';
const group = 'known-to-storage.example.com';
const text = { type: 'string' };
const free = { 'x-kubernetes-preserve-unknown-fields': true };

/** The stored version knows `inner.c`; the other one prunes it, below a field that keeps what it does not know. */
const versions = [
  {
    name: 'v1',
    served: true,
    storage: true,
    schema: schema({
      spec: {
        type: 'object',
        properties: {
          inner: { type: 'object', properties: { b: text, c: { type: 'integer', default: 1 } } },
          list: { type: 'array', items: { type: 'object', properties: { b: text, c: text } } },
        },
      },
    }),
  },
  {
    name: 'v2',
    served: true,
    storage: false,
    schema: schema({
      spec: {
        type: 'object',
        properties: {
          inner: { type: 'object', properties: { b: text } },
          list: { type: 'array', items: { type: 'object', properties: { b: text } } },
        },
        ...free,
      },
    }),
  },
] as const;
const custom = { group, plural: 'shells', kind: 'Shell', versions } as const;

const at = (version: string, name: string): string =>
  `${places.custom(group, custom.plural, space, version)}${name === '' ? '' : `/${name}`}`;
const shell = (version: string, name: string, spec: object): object => ({
  apiVersion: `${group}/${version}`,
  kind: 'Shell',
  metadata: { name },
  spec,
});
const spec = { inner: { b: 'b', c: 7 }, list: [{ b: 'b', c: 'c' }], more: { d: 1 } };

/** What both versions show after a write. */
const both = (title: string, name: string): readonly Step[] =>
  ['v1', 'v2'].map((version) => get(`${title}: ${name} in ${version}`, at(version, name)));

export const knownToStorage = script(
  space,
  inNamespace(space),
  define(custom),
  post('created in v2', at('v2', ''), shell('v2', 'created', spec)),
  both('created', 'created'),
  apply('applied in v2', at('v2', 'applied'), shell('v2', 'applied', spec)),
  both('applied', 'applied'),
  apply('applied in v2 once more', at('v2', 'applied'), shell('v2', 'applied', spec)),
  apply('another value', at('v2', 'applied'), shell('v2', 'applied', { ...spec, inner: { b: 'b', c: 8 } })),
  both('another value', 'applied'),
  apply('without the field', at('v2', 'applied'), shell('v2', 'applied', { inner: { b: 'x' } })),
  both('without the field', 'applied'),
  apply('a null', at('v2', 'nulled'), shell('v2', 'nulled', { inner: { b: null, c: 5 }, list: [{ c: null }] })),
  both('a null', 'nulled'),
  apply('floats', at('v2', 'floats'), shell('v2', 'floats', { inner: { b: 'b', c: 2.5 }, more: 1.5 })),
  both('floats', 'floats'),
  apply('by another in v1', at('v1', 'applied'), shell('v1', 'applied', { inner: { c: 9 } }), 'two&force=true'),
  both('by another', 'applied'),
  apply('in v2 after v1', at('v2', 'applied'), shell('v2', 'applied', { inner: { b: 'y', c: 3 } }), 'one&force=true'),
  both('in v2 after v1', 'applied'),
  patch('merged in v2', 'merge', at('v2', 'created'), { spec: { inner: { c: 4 } } }),
  both('merged', 'created'),
  put('put in v2', at('v2', 'created'), shell('v2', 'created', { inner: { c: 4 } })),
  both('put', 'created'),
  apply('a dry run', `${at('v2', 'dry')}?dryRun=All`, shell('v2', 'dry', spec)),
);
