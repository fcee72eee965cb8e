import { createHash } from 'node:crypto';
import type { GroupVersionKind } from '../api/group-version.ts';
import type { JsonObject } from '../api/json.ts';
import type { Work } from '../api/turns.ts';
import { builtInGroups } from '../schema/kubernetes/resources.ts';
import { closureOf, definitionsOf } from './definition-closure.ts';
import { namedParts } from './named-parts.ts';
import type { Definitions } from './definitions.ts';
import { definitionOf, type DefinitionForm, reference } from './definition.ts';
import {
  methods,
  type Operation,
  type Parameter,
  parameterKey,
  type PathEntry,
  type RequestBody,
  type Response,
  sharedParameters,
  textBody,
} from './operation.ts';

/** A version that is known of and has no kinds any more. */
const emptyVersions = [{ group: 'node.k8s.io', version: 'v1alpha1' }];
/** These stand in every operation: clients look there for what the server can do. */
const neverShared = new Set(['name', 'fieldValidation', 'dryRun']);

/** The document at `/openapi/v2`. */
export function* openApiV2({
  paths,
  info,
  definitions,
}: {
  readonly paths: readonly PathEntry[];
  readonly info: JsonObject;
  readonly definitions: Definitions;
}): Work<JsonObject> {
  const form: DefinitionForm = { version: 2, sharedKinds: kindsOfAllVersions, definitions };
  const named = closureOf(paths.flatMap(definitionsOf), definitions);
  const shared = new SharedParameters();
  yield;
  const items = yield* namedParts(paths, (entry) => [entry.path, pathItem(entry, shared)]);
  const told = yield* namedParts(named, (definition) => [definition.name, definitionOf(definition, form)]);
  return {
    swagger: '2.0',
    info,
    paths: items,
    definitions: told,
    parameters: shared.sorted(),
    securityDefinitions: {
      BearerToken: { description: 'A bearer token.', type: 'apiKey', name: 'authorization', in: 'header' },
    },
    security: [{ BearerToken: [] }],
  };
}

function kindsOfAllVersions(kind: string): GroupVersionKind[] {
  const known = builtInGroups().flatMap(({ name, versions, unservedVersions }) =>
    [...versions, ...unservedVersions].map((version) => ({ group: name, version })),
  );
  return [...known, ...emptyVersions]
    .map((version) => ({ ...version, kind }))
    .toSorted((a, b) => (`${a.group} ${a.version}` < `${b.group} ${b.version}` ? -1 : 1));
}

/** Parameters that are told once and referred to, by a name with a hash of what they are. */
class SharedParameters {
  readonly #byName = new Map<string, JsonObject>();
  readonly #names = new Map<string, string>();

  reference(name: string, parameter: JsonObject): JsonObject {
    const text = JSON.stringify(parameter);
    let key = this.#names.get(text);
    if (key === undefined) {
      key = `${name}-${createHash('sha256').update(text).digest('base64url').slice(0, 8)}`;
      this.#names.set(text, key);
      this.#byName.set(key, parameter);
    }
    return { $ref: `#/parameters/${key}` };
  }

  sorted(): JsonObject {
    return Object.fromEntries([...this.#byName].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}

function pathItem(entry: PathEntry, shared: SharedParameters): JsonObject {
  const common = sharedParameters(entry);
  const ofItem = entry.operations[0]?.parameters.filter((each) => common.has(parameterKey(each))) ?? [];
  return {
    ...Object.fromEntries(
      methods.flatMap((method) =>
        entry.operations
          .filter((operation) => operation.method === method)
          .map((operation) => [method, operationObject(operation, common, shared)] as const),
      ),
    ),
    ...(ofItem.length === 0 ? {} : { parameters: ofItem.map((each) => parameterObject(each, shared)) }),
  };
}

function operationObject(operation: Operation, common: ReadonlySet<string>, shared: SharedParameters): JsonObject {
  const { body, action, kind, consumes } = operation;
  const own = [
    ...(body === undefined ? [] : [bodyObject(body, shared)]),
    ...operation.parameters
      .filter((each) => !common.has(parameterKey(each)))
      .map((each) => parameterObject(each, shared)),
  ];
  return {
    description: operation.description,
    ...(consumes === undefined ? {} : { consumes: [...consumes] }),
    produces: [...operation.produces],
    schemes: ['https'],
    tags: [operation.tag],
    operationId: operation.operationId,
    ...(own.length === 0 ? {} : { parameters: own }),
    responses: Object.fromEntries(operation.responses.map((each) => [String(each.code), responseObject(each)])),
    ...(action === undefined ? {} : { 'x-kubernetes-action': action }),
    ...(kind === undefined
      ? {}
      : { 'x-kubernetes-group-version-kind': { group: kind.group, kind: kind.kind, version: kind.version } }),
  };
}

function bodyObject({ definition, required }: RequestBody, shared: SharedParameters): JsonObject {
  const body = {
    name: 'body',
    in: 'body',
    ...(required ? { required: true } : {}),
    schema: reference(definition, { version: 2 }),
  };
  return definition.startsWith('io.k8s.apimachinery') ? shared.reference('body', body) : body;
}

function responseObject({ description, definition }: Response): JsonObject {
  if (definition === undefined) return { description };
  return {
    description,
    schema: definition === textBody ? { type: 'string' } : reference(definition, { version: 2 }),
  };
}

function parameterObject(parameter: Parameter, shared: SharedParameters): JsonObject {
  const object = {
    uniqueItems: true,
    type: parameter.type,
    description: parameter.description,
    name: parameter.name,
    in: parameter.in,
    ...(parameter.in === 'path' ? { required: true } : {}),
  };
  return neverShared.has(parameter.name) ? object : shared.reference(parameter.name, object);
}
