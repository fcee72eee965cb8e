import type { GroupVersionKind } from '../api/meta/group-version.ts';
import { applyMediaType, patchFormats } from '../patch/apply-patch.ts';
import type { KindResponses } from '../registry/kinds/kind-responses.ts';
import { holdsIn } from '../registry/kinds/strategy.ts';
import type { Resource, ResourceVerb, Subresource } from '../schema/resource.ts';
import {
  byName,
  type Method,
  type PathOperation,
  type Parameter,
  type PathEntry,
  type Response,
  textBody,
  unauthorized,
} from './operation.ts';
import { documentOf, groupTag, groupWord, joinedWord, versionWord } from './group-words.ts';
import { nameOfKind, packageOf } from './definitions.ts';
import * as parameters from './parameters.ts';

const metaPackage = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const anything = ['*/*'];
export const objectTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const streamTypes = [
  ...objectTypes,
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;stream=watch',
];
const patchTypes = [...Object.keys(patchFormats), applyMediaType];

/** Subresources whose GET takes the fields of an options kind as query parameters. */
const readOptions: { readonly [path: string]: string } = { 'pods/log': 'PodLogOptions' };

/** What the operations of one path share. */
interface Target {
  readonly resource: Resource;
  readonly kindResponses: KindResponses;
  readonly subresource?: Subresource;
  /** `Namespaced` in operation ids. */
  readonly scopeWord: string;
  readonly parameters: readonly Parameter[];
}

/** The paths of a resource and its subresources. */
export function resourcePaths(resource: Resource, kindResponses: KindResponses = {}): PathEntry[] {
  const { namespaced, plural, kind } = resource;
  const inNamespace = namespaced ? [parameters.namespaceParameter] : [];
  const target: Target = {
    resource,
    kindResponses,
    scopeWord: namespaced ? 'Namespaced' : '',
    parameters: [parameters.pretty, ...inNamespace],
  };
  const item: Target = { ...target, parameters: [...target.parameters, parameters.nameParameter(kind)] };
  const base = rootOf(resource);
  const collection = `${namespaced ? '/namespaces/{namespace}' : ''}/${plural}`;
  const across: Target = { resource, kindResponses, scopeWord: '', parameters: [parameters.pretty] };
  const watched = resource.verbs.includes('watch');
  const rows: (readonly [string, readonly PathOperation[]])[] = [
    [collection, operations(collectionOperations, target)],
    [`${collection}/{name}`, operations(itemOperations, item)],
    ...(namespaced && resource.verbs.includes('list')
      ? ([[`/${plural}`, [listOperation(across, 'ForAllNamespaces')]]] as const)
      : []),
    ...(watched
      ? ([
          [`/watch${collection}`, [watchOperation(target, 'List')]],
          [`/watch${collection}/{name}`, [watchOperation(item, '')]],
        ] as const)
      : []),
    ...(watched && namespaced
      ? ([[`/watch/${plural}`, [watchOperation(across, 'ListForAllNamespaces')]]] as const)
      : []),
    ...resource.subresources.flatMap((subresource) =>
      subresourceRows(`${collection}/{name}/${subresource.name}`, { ...item, subresource }),
    ),
  ];
  return rows
    .filter(([, found]) => found.length > 0)
    .map(([path, found]) => ({ path: `${base}${path}`, document: base.slice(1), operations: found }));
}

type OperationTable = readonly (readonly [ResourceVerb, (target: Target) => PathOperation])[];

const collectionOperations: OperationTable = [
  ['list', (target) => listOperation(target, '')],
  ['create', createOperation],
  ['deletecollection', deleteCollectionOperation],
];

const itemOperations: OperationTable = [
  ['get', readOperation],
  ['update', updateOperation],
  ['delete', deleteOperation],
  ['patch', patchOperation],
];

const subresourceOperations: OperationTable = [
  ['get', readOperation],
  ['update', updateOperation],
  ['create', createOperation],
  ['patch', patchOperation],
];

function operations(table: OperationTable, target: Target): PathOperation[] {
  const { verbs } = target.subresource ?? target.resource;
  return table.filter(([verb]) => verbs.includes(verb)).map(([, make]) => make(target));
}

function subresourceRows(path: string, target: Target): (readonly [string, readonly PathOperation[]])[] {
  const { kind = '', name = '' } = target.subresource ?? {};
  if (!kind.endsWith('Options')) return [[path, operations(subresourceOperations, target)]];
  const rows = [[path, connectOperations(target, '')] as const];
  if (name === 'proxy') {
    const below = { ...target, parameters: [...target.parameters, ...parameters.pathParameters] };
    rows.push([`${path}/{path}`, connectOperations(below, 'WithPath')]);
  }
  return rows;
}

const connectMethods: readonly (readonly [Method, ResourceVerb])[] = [
  ['get', 'get'],
  ['put', 'update'],
  ['post', 'create'],
  ['delete', 'delete'],
  ['options', 'update'],
  ['head', 'update'],
  ['patch', 'patch'],
];

function connectOperations(target: Target, suffix: string): PathOperation[] {
  const { resource, subresource } = target;
  const { verbs = [], kind = '', name = '' } = subresource ?? {};
  const options = parameters.optionParameters(`${packageOf(resource)}.${kind}`);
  const path = target.parameters.filter((each) => each.name !== 'pretty');
  return connectMethods
    .filter(([, verb]) => verbs.includes(verb))
    .map(([method]) => ({
      ...operation(target, {
        method,
        verb: 'connect',
        suffix,
        description: `Passes ${method.toUpperCase()} requests on to the ${name} of a ${resource.kind}.`,
        middle: capitalize(method),
      }),
      action: 'connect',
      produces: anything,
      parameters: [...path, ...options].toSorted(byName),
      responses: [{ code: 200, description: 'OK', definition: textBody }, unauthorized],
    }));
}

function listOperation(target: Target, suffix: string): PathOperation {
  const { resource } = target;
  const watched = resource.verbs.includes('watch');
  return {
    ...operation(target, {
      method: 'get',
      verb: 'list',
      suffix,
      description: `Lists ${watched ? 'or watches ' : ''}objects of kind ${resource.kind}.`,
      parameters: parameters.listParameters(),
    }),
    produces: streamTypes,
    responses: responsesOf(nameOfKind(resource, resource.listKind), [200]),
  };
}

function watchOperation(target: Target, suffix: string): PathOperation {
  const { kind } = target.resource;
  return {
    ...operation(target, {
      method: 'get',
      verb: 'watch',
      suffix,
      description:
        suffix === ''
          ? `Watches one ${kind}. Deprecated: list with the parameters watch and fieldSelector.`
          : `Watches objects of kind ${kind}. Deprecated: list with the parameter watch.`,
      parameters: parameters.listParameters(),
    }),
    action: suffix === '' ? 'watch' : 'watchlist',
    produces: streamTypes,
    responses: responsesOf(`${metaPackage}.WatchEvent`, [200]),
  };
}

function createOperation(target: Target): PathOperation {
  const definition = bodyOf(target);
  return {
    ...operation(target, {
      method: 'post',
      verb: 'create',
      description: `Creates ${objectOf(target)}.`,
      parameters: parameters.writeParameters,
    }),
    action: 'post',
    body: { definition, required: true },
    responses: responsesOf(definition, [200, 201, 202]),
  };
}

function deleteCollectionOperation(target: Target): PathOperation {
  return {
    ...operation(target, {
      method: 'delete',
      verb: 'delete',
      middle: 'Collection',
      description: `Deletes objects of kind ${target.resource.kind}.`,
      parameters: parameters.deleteCollectionParameters(),
    }),
    action: 'deletecollection',
    body: { definition: `${metaPackage}.DeleteOptions`, required: false },
    responses: responsesOf(`${metaPackage}.Status`, [200]),
  };
}

function readOperation(target: Target): PathOperation {
  const { resource, subresource } = target;
  const raw = subresource !== undefined && subresource.schema === undefined;
  const options = readOptions[`${resource.plural}/${subresource?.name ?? ''}`];
  const read = operation(target, {
    method: 'get',
    verb: 'read',
    description: `Reads ${objectOf(target)}.`,
    parameters: options === undefined ? [] : parameters.optionParameters(`${packageOf(resource)}.${options}`),
  });
  const responses = responsesOf(raw ? textBody : bodyOf(target), [200]);
  return { ...read, action: 'get', responses, produces: raw ? ['text/plain', ...objectTypes] : objectTypes };
}

function updateOperation(target: Target): PathOperation {
  const definition = bodyOf(target);
  return {
    ...operation(target, {
      method: 'put',
      verb: 'replace',
      description: `Replaces ${objectOf(target)}.`,
      parameters: parameters.writeParameters,
    }),
    action: 'put',
    body: { definition, required: true },
    responses: responsesOf(definition, [200, 201]),
  };
}

function deleteOperation(target: Target): PathOperation {
  const { returnsDeletedObject, tellsOfDeletionStatus } = target.kindResponses;
  const whole = tellsOfDeletionStatus !== true && holdsIn(returnsDeletedObject, target.resource.version);
  return {
    ...operation(target, {
      method: 'delete',
      verb: 'delete',
      description: `Deletes ${objectOf(target)}.`,
      parameters: parameters.deleteParameters(),
    }),
    body: { definition: `${metaPackage}.DeleteOptions`, required: false },
    responses: responsesOf(whole ? bodyOf(target) : `${metaPackage}.Status`, [200, 202]),
  };
}

function patchOperation(target: Target): PathOperation {
  return {
    ...operation(target, {
      method: 'patch',
      verb: 'patch',
      description: `Changes parts of ${objectOf(target)}.`,
      parameters: parameters.patchParameters,
    }),
    consumes: patchTypes,
    body: { definition: `${metaPackage}.Patch`, required: true },
    responses: responsesOf(bodyOf(target), [200, 201]),
  };
}

interface OperationParts {
  readonly method: Method;
  /** First word of the operation id, and of the action unless they differ. */
  readonly verb: string;
  readonly description: string;
  /** Goes between version and scope in the operation id: `Collection`, `Get`. */
  readonly middle?: string;
  readonly suffix?: string;
  /** In addition to those of the path. */
  readonly parameters?: readonly Parameter[];
}

function operation(target: Target, parts: OperationParts): PathOperation {
  const { resource, subresource, scopeWord } = target;
  const { verb, middle = '', suffix = '' } = parts;
  const version = `${groupWord(resource.group)}${versionWord(resource.version)}`;
  const own = `${middle}${scopeWord}${resource.kind}${capitalize(subresource?.name ?? '')}${suffix}`;
  return {
    method: parts.method,
    tag: groupTag(resource.group, resource.version),
    description: parts.description,
    operationId: `${verb}${version}${joinedWord(own, true)}`,
    consumes: anything,
    produces: objectTypes,
    parameters: [...target.parameters, ...(parts.parameters ?? [])].toSorted(byName),
    responses: [],
    action: verb,
    kind: kindOf(target),
  };
}

function kindOf({ resource, subresource }: Target): GroupVersionKind {
  const { group, version, kind } = subresource ?? resource;
  return { group, version, kind };
}

const responseTexts: { readonly [code: number]: string } = { 200: 'OK', 201: 'Created', 202: 'Accepted' };

function responsesOf(definition: string, codes: readonly number[]): Response[] {
  return [...codes.map((code) => ({ code, description: responseTexts[code] ?? '', definition })), unauthorized];
}

function objectOf({ resource, subresource }: Target): string {
  return subresource === undefined ? `one ${resource.kind}` : `the ${subresource.name} of one ${resource.kind}`;
}

function bodyOf({ resource, subresource }: Target): string {
  return subresource?.schema?.name ?? nameOfKind(resource, resource.kind);
}

function rootOf({ group, version }: Resource): string {
  return `/${documentOf(group, version)}`;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
