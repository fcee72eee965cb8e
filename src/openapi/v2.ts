import { kindsOfAllVersions } from './shared-kinds.ts';
import { createHash } from 'node:crypto';
import { keptBy } from '../api/collections/kept-by.ts';
import type { JsonObject } from '../api/json/json.ts';
import type { SwaggerPart } from '../catalogue/remote-version.ts';
import { encodeRaw, quoteJson } from '../api/json/json-text.ts';
import { closureOf, definitionsOf } from './definition-closure.ts';
import type { Schema } from '../schema/schema.ts';
import type { OpenApiDefinition, Definitions } from './definitions.ts';
import { describeParameter } from './descriptions.ts';
import type { Documentation } from './documentation.ts';
import { openApiDefinitionOf, type DefinitionForm, reference } from './definition.ts';
import {
  methods,
  type PathOperation,
  type Parameter,
  parameterKey,
  type PathEntry,
  type RequestBody,
  type Response,
  sharedParameters,
  textBody,
} from './operation.ts';

/** Repeated in every operation: clients look there for server capabilities. */
const neverShared = new Set(['name', 'fieldValidation', 'dryRun']);

/** JSON by name. */
type NamedTexts = ReadonlyMap<string, string>;

export function partOfV2(
  entries: readonly PathEntry[],
  definitions: Definitions,
  documentation: Documentation,
): SwaggerPart {
  const form: DefinitionForm = { version: 2, sharedKinds: kindsOfAllVersions, definitions, documentation };
  const shared = new SharedParameters(documentation);
  const paths = new Map<string, string>();
  for (const entry of entries) {
    paths.set(entry.path, encodeRaw(pathItem(entry, shared)));
  }
  const names = new Map<string, string>();
  for (const definition of closureOf(entries.flatMap(definitionsOf), definitions)) {
    names.set(definition.name, definitionText(definition, form));
  }
  return { paths, definitions: names, parameters: shared.texts };
}

/** Most definitions occur in many parts. */
const definitionTexts: (of: Documentation) => WeakMap<Schema, string> = keptBy(() => new WeakMap());

function definitionText(definition: OpenApiDefinition, form: DefinitionForm): string {
  const texts = definitionTexts(form.documentation);
  let text = texts.get(definition.schema);
  if (text === undefined) {
    text = encodeRaw(openApiDefinitionOf(definition, form));
    texts.set(definition.schema, text);
  }
  return text;
}

const security = {
  securityDefinitions: {
    BearerToken: { description: 'A bearer token.', type: 'apiKey', name: 'authorization', in: 'header' },
  },
  security: [{ BearerToken: [] }],
};

/** The `/openapi/v2` document, in pieces. Parts may repeat each other's entries: the last one counts. */
export function openApiV2(parts: readonly SwaggerPart[], info: JsonObject): readonly Buffer[] {
  const pieces = [Buffer.from(`{"swagger":"2.0","info":${encodeRaw(info)}`)];
  for (const section of ['paths', 'definitions', 'parameters'] as const) {
    pieces.push(Buffer.from(`,"${section}":{`));
    addTexts(
      pieces,
      parts.map((part) => part[section]),
    );
    pieces.push(Buffer.from('}'));
  }
  pieces.push(Buffer.from(`,${encodeRaw(security).slice(1)}`));
  return pieces;
}

const pieceLength = 256 * 1024;

/** Adds members sorted by name. */
function addTexts(pieces: Buffer[], parts: readonly NamedTexts[]): void {
  const texts = new Map<string, string>();
  for (const part of parts) {
    for (const [name, text] of part) texts.set(name, text);
  }
  let piece = '';
  let separator = '';
  for (const name of [...texts.keys()].sort()) {
    piece += `${separator}${quoteJson(name)}:${texts.get(name)}`;
    separator = ',';
    if (piece.length < pieceLength) continue;
    pieces.push(Buffer.from(piece));
    piece = '';
  }
  pieces.push(Buffer.from(piece));
}

/** Parameters defined once and referenced by a name that contains a hash of their contents. */
class SharedParameters {
  readonly texts = new Map<string, string>();
  readonly documentation: Documentation;

  constructor(documentation: Documentation) {
    this.documentation = documentation;
  }

  reference(name: string, parameter: JsonObject): JsonObject {
    const text = encodeRaw(parameter);
    const key = parameterName(name, text);
    this.texts.set(key, text);
    return { $ref: `#/parameters/${key}` };
  }
}

/** All kinds share the same few parameters. */
const parameterNames = new Map<string, string>();

function parameterName(name: string, text: string): string {
  let key = parameterNames.get(text);
  if (key === undefined) {
    key = `${name}-${createHash('sha256').update(text).digest('base64url').slice(0, 8)}`;
    parameterNames.set(text, key);
  }
  return key;
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

function operationObject(operation: PathOperation, common: ReadonlySet<string>, shared: SharedParameters): JsonObject {
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
    description: describeParameter(parameter, shared.documentation),
    name: parameter.name,
    in: parameter.in,
    ...(parameter.in === 'path' ? { required: true } : {}),
  };
  return neverShared.has(parameter.name) ? object : shared.reference(parameter.name, object);
}
