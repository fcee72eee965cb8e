import type { VerbHandler } from '../request/resource-request.ts';
import type { Verb } from '../request/verb.ts';
import { create } from './create.ts';
import { deleteCollection } from './delete-collection.ts';
import { deleteOne } from './delete.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { patch } from './patch.ts';
import { update } from './update.ts';
import { watch } from './watch.ts';

export interface VerbRow extends Verb {
  /** The handler for stored resources. */
  readonly serve: VerbHandler;
}

const read = { isMutating: false, isLongRunning: false };
const write = { isMutating: true, isLongRunning: false };

/** The API verbs on objects. */
export const verbTable: readonly VerbRow[] = [
  { name: 'get', methods: ['GET', 'HEAD'], paths: ['object'], metric: 'GET', title: 'Get', ...read, serve: get },
  {
    name: 'list',
    methods: [],
    paths: ['collection', 'all-namespaces'],
    metric: 'LIST',
    title: 'List',
    ...read,
    serve: list,
  },
  {
    name: 'watch',
    methods: [],
    paths: ['object', 'collection', 'all-namespaces'],
    metric: 'WATCH',
    isMutating: false,
    isLongRunning: true,
    serve: watch,
  },
  {
    name: 'create',
    methods: ['POST'],
    paths: ['collection'],
    pathsOfCustom: ['object'],
    metric: 'POST',
    title: 'Create',
    ...write,
    serve: create,
  },
  {
    name: 'update',
    methods: ['PUT'],
    paths: ['object'],
    pathsOfCustom: ['collection'],
    metric: 'PUT',
    title: 'Update',
    ...write,
    serve: update,
  },
  {
    name: 'patch',
    methods: ['PATCH'],
    paths: ['object'],
    pathsOfCustom: ['collection'],
    metric: 'PATCH',
    title: 'Patch',
    ...write,
    serve: patch,
  },
  {
    name: 'delete',
    methods: ['DELETE'],
    paths: ['object'],
    metric: 'DELETE',
    title: 'Delete',
    ...write,
    serve: deleteOne,
  },
  {
    name: 'deletecollection',
    methods: [],
    paths: ['collection'],
    metric: 'DELETE',
    title: 'Delete',
    ...write,
    serve: deleteCollection,
  },
];

export function verbsByName(table: readonly VerbRow[]): ReadonlyMap<string, VerbRow> {
  return new Map(table.map((row) => [row.name, row]));
}
