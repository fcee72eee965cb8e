import { createHash } from 'node:crypto';
import { encodeRaw } from '../api/json-text.ts';
import type { JsonObject } from '../api/json.ts';
import { awaited, inTurns, type Work } from '../api/turns.ts';
import type { Resource } from '../schema/resource.ts';
import { documentOf } from './group-words.ts';
import { encodeV2 } from './gnostic-v2.ts';
import { encodeV3 } from './gnostic-v3.ts';
import type { PathEntry } from './operation.ts';
import { resourcePaths } from './resource-paths.ts';
import { serverPaths } from './server-paths.ts';
import { openApiV2 } from './v2.ts';
import { openApiV3 } from './v3.ts';

/** A document as it goes out. */
export interface OpenApiDocument {
  readonly body: Buffer;
  /** A strong validator without its quotes; of version 3 it is the `hash` in the index, too. */
  readonly etag: string;
}

/** The OpenAPI documents of a server. Each is made at the first call, while others have their turn; its bytes are kept. */
export interface OpenApiDocuments {
  /** `/openapi/v3` */
  index(): Promise<OpenApiDocument>;
  /** `/openapi/v3/{path}`, such as `apis/apps/v1`. */
  v3(path: string): Promise<OpenApiDocument | undefined>;
  /** The same as `openapi.v3.Document` of gnostic. Has the validator of the JSON form. */
  v3Protobuf(path: string): Promise<OpenApiDocument | undefined>;
  /** `/openapi/v2` as JSON. */
  v2Json(): Promise<OpenApiDocument>;
  /** `/openapi/v2` as `openapi.v2.Document` of gnostic. Has the validator of the JSON form. */
  v2Protobuf(): Promise<OpenApiDocument>;
}

export interface OpenApiOptions {
  readonly resources: readonly Resource[];
  /** `1.37` */
  readonly release: string;
}

export function createOpenApi(options: OpenApiOptions): OpenApiDocuments {
  const { resources } = options;
  const names = documentNames(resources);
  const kept = new Map<string, Promise<OpenApiDocument>>();
  const keep = (key: string, make: () => Work<OpenApiDocument>): Promise<OpenApiDocument> => {
    const known = kept.get(key) ?? inTurns(make());
    kept.set(key, known);
    return known;
  };
  const v3 = (path: string): Promise<OpenApiDocument> => keep(`v3/${path}`, () => jsonOf(v3Document(options, path)));
  const v2 = (): Promise<OpenApiDocument> => keep('v2', () => jsonOf(v2Document(options)));
  return {
    v3: async (path) => (names.has(path) ? v3(path) : undefined),
    v3Protobuf: async (path) =>
      names.has(path)
        ? keep(`v3 protobuf/${path}`, () => protobufOf(v3Document(options, path), encodeV3, v3(path)))
        : undefined,
    index: () => keep('v3', () => jsonOf(indexOf([...names], v3))),
    v2Json: v2,
    v2Protobuf: () => keep('v2 protobuf', () => protobufOf(v2Document(options), encodeV2, v2())),
  };
}

function* v2Document({ resources, release }: OpenApiOptions): Work<JsonObject> {
  const paths = sortedPaths(resources, resources);
  yield;
  return yield* openApiV2({ paths, info: infoOf(release) });
}

function* v3Document({ resources, release }: OpenApiOptions, path: string): Work<JsonObject> {
  const ofVersion = resources.filter(({ group, version }) => documentOf(group, version) === path);
  const paths = sortedPaths(resources, ofVersion).filter(({ document }) => document === path);
  yield;
  return yield* openApiV3({ paths, info: infoOf(release), documentVersion: ofVersion[0] });
}

function infoOf(release: string): JsonObject {
  return { title: 'Kubernetes', version: release };
}

function* indexOf(names: readonly string[], documentAt: (name: string) => Promise<OpenApiDocument>): Work<JsonObject> {
  const paths: JsonObject = {};
  for (const name of names) paths[name] = entryOf(name, yield* awaited(documentAt(name)));
  return { paths };
}

function entryOf(name: string, { etag }: OpenApiDocument): JsonObject {
  return { serverRelativeURL: `/openapi/v3/${name}?hash=${etag}` };
}

/** In the order of the index. */
function documentNames(resources: readonly Resource[]): ReadonlySet<string> {
  return new Set(
    serverPaths(resources)
      .map(({ document }) => document)
      .toSorted(),
  );
}

function sortedPaths(served: readonly Resource[], told: readonly Resource[]): PathEntry[] {
  return [...serverPaths(served), ...told.flatMap(resourcePaths)].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function* jsonOf(making: Work<JsonObject>): Work<OpenApiDocument> {
  const document = yield* making;
  yield;
  const body = Buffer.from(encodeRaw(document));
  yield;
  return { body, etag: createHash('sha512').update(body).digest('hex').toUpperCase() };
}

function* protobufOf(
  making: Work<JsonObject>,
  encode: (document: JsonObject) => Buffer,
  json: Promise<OpenApiDocument>,
): Work<OpenApiDocument> {
  const document = yield* making;
  const { etag } = yield* awaited(json);
  return { body: encode(document), etag };
}
