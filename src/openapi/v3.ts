import type { GroupVersionKind } from '../api/meta/group-version.ts';
import type { JsonObject } from '../api/json/json.ts';
import { kindsIn, kindsOfClients } from './shared-kinds.ts';
import { namedParts } from './named-parts.ts';
import type { Definitions } from './definitions.ts';
import { describeParameter } from './descriptions.ts';
import type { Documentation } from './documentation.ts';
import { openApiDefinitionOf, type DefinitionForm, reference } from './definition.ts';
import { closureOf, definitionsOf } from './definition-closure.ts';
import {
  methods,
  type PathOperation,
  type Parameter,
  parameterKey,
  type PathEntry,
  type Response,
  sharedParameters,
  textBody,
} from './operation.ts';

const securitySchemes: JsonObject = {
  BearerToken: { type: 'apiKey', description: 'A bearer token.', name: 'authorization', in: 'header' },
};

/** One of the documents under `/openapi/v3`. */
export function openApiV3({
  paths,
  info,
  definitions,
  documentation,
  documentVersion,
  isCustom,
}: {
  readonly paths: readonly PathEntry[];
  readonly info: JsonObject;
  readonly definitions: Definitions;
  readonly documentation: Documentation;
  /** The group version of the document, if it has one. */
  readonly documentVersion: Pick<GroupVersionKind, 'group' | 'version'> | undefined;
  /** Custom resource documents have no security definitions. */
  readonly isCustom: boolean;
}): JsonObject {
  const sharedKinds = isCustom ? kindsOfClients : (kind: string) => kindsIn(documentVersion, kind);
  const form: DefinitionForm = { version: 3, sharedKinds, definitions, documentation };
  const named = closureOf(paths.flatMap(definitionsOf), definitions);
  const schemas = namedParts(named, (definition) => [definition.name, openApiDefinitionOf(definition, form)]);
  const items = namedParts(paths, (entry) => [entry.path, pathItem(entry, documentation)]);
  return {
    openapi: '3.0.0',
    info,
    paths: items,
    components: {
      ...(named.length === 0 ? {} : { schemas }),
      ...(isCustom ? {} : { securitySchemes }),
    },
  };
}

function pathItem(entry: PathEntry, documentation: Documentation): JsonObject {
  const shared = sharedParameters(entry);
  const ofItem = entry.operations[0]?.parameters.filter((each) => shared.has(parameterKey(each))) ?? [];
  return {
    ...Object.fromEntries(
      methods.flatMap((method) =>
        entry.operations
          .filter((operation) => operation.method === method)
          .map((operation) => [method, operationObject(operation, shared, documentation)] as const),
      ),
    ),
    ...(ofItem.length === 0 ? {} : { parameters: ofItem.map((each) => parameterObject(each, documentation)) }),
  };
}

function operationObject(
  operation: PathOperation,
  shared: ReadonlySet<string>,
  documentation: Documentation,
): JsonObject {
  const own = operation.parameters.filter((each) => !shared.has(parameterKey(each)));
  const { body, action, kind, consumes = [] } = operation;
  return {
    tags: [operation.tag],
    description: operation.description,
    operationId: operation.operationId,
    ...(own.length === 0 ? {} : { parameters: own.map((each) => parameterObject(each, documentation)) }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            content: contentOf(consumes, reference(body.definition, { version: 3 })),
            ...(body.required ? { required: true } : {}),
          },
        }),
    responses: Object.fromEntries(
      operation.responses.map((response) => [String(response.code), responseObject(response, operation.produces)]),
    ),
    ...(action === undefined ? {} : { 'x-kubernetes-action': action }),
    ...(kind === undefined
      ? {}
      : { 'x-kubernetes-group-version-kind': { group: kind.group, version: kind.version, kind: kind.kind } }),
  };
}

function responseObject({ description, definition }: Response, produces: readonly string[]): JsonObject {
  if (definition === undefined) return { description };
  const schema = definition === textBody ? { type: 'string' } : reference(definition, { version: 3 });
  return { description, content: contentOf(produces, schema) };
}

function contentOf(types: readonly string[], schema: JsonObject): JsonObject {
  return Object.fromEntries(types.toSorted().map((type) => [type, { schema }]));
}

function parameterObject(parameter: Parameter, documentation: Documentation): JsonObject {
  return {
    name: parameter.name,
    in: parameter.in,
    description: describeParameter(parameter, documentation),
    ...(parameter.in === 'path' ? { required: true } : {}),
    schema: { type: parameter.type, uniqueItems: true },
  };
}
