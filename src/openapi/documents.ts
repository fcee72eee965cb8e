import { createHash } from 'node:crypto';
import { encodeRaw } from '../api/json-text.ts';
import type { JsonObject } from '../api/json.ts';
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

/** The OpenAPI documents of a server. Each is made at the first call; its bytes are kept. */
export interface OpenApiDocuments {
  /** `/openapi/v3` */
  index(): OpenApiDocument;
  /** `/openapi/v3/{path}`, such as `apis/apps/v1`. */
  v3(path: string): OpenApiDocument | undefined;
  /** The same as `openapi.v3.Document` of gnostic. Has the validator of the JSON form. */
  v3Protobuf(path: string): OpenApiDocument | undefined;
  /** `/openapi/v2` as JSON. */
  v2Json(): OpenApiDocument;
  /** `/openapi/v2` as `openapi.v2.Document` of gnostic. Has the validator of the JSON form. */
  v2Protobuf(): OpenApiDocument;
}

export interface OpenApiOptions {
  readonly resources: readonly Resource[];
  /** `1.37` */
  readonly release: string;
}

export function createOpenApi({ resources, release }: OpenApiOptions): OpenApiDocuments {
  const info = { title: 'Kubernetes', version: release };
  const kept = new Map<string, OpenApiDocument>();
  const keep = (key: string, make: () => OpenApiDocument): OpenApiDocument => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const document = make();
    kept.set(key, document);
    return document;
  };
  const names = documentNames(resources);
  const v3Document = (path: string): JsonObject => {
    const ofVersion = resources.filter(({ group, version }) => documentOf(group, version) === path);
    const paths = sortedPaths(resources, ofVersion).filter(({ document }) => document === path);
    return openApiV3({ paths, info, documentVersion: ofVersion[0] });
  };
  const v3 = (path: string): OpenApiDocument | undefined =>
    names.has(path) ? keep(`v3/${path}`, () => jsonDocument(v3Document(path))) : undefined;
  const v2 = (): JsonObject => openApiV2({ paths: sortedPaths(resources, resources), info });
  return {
    v3,
    v3Protobuf(path) {
      const json = v3(path);
      if (json === undefined) return undefined;
      return keep(`v3 protobuf/${path}`, () => ({ body: encodeV3(v3Document(path)), etag: json.etag }));
    },
    index: () =>
      keep('v3', () =>
        jsonDocument({ paths: Object.fromEntries([...names].map((name) => [name, entryOf(name, v3(name))])) }),
      ),
    v2Json: () => keep('v2', () => jsonDocument(v2())),
    v2Protobuf: () =>
      keep('v2 protobuf', () => {
        const document = v2();
        return { body: encodeV2(document), etag: keep('v2', () => jsonDocument(document)).etag };
      }),
  };
}

function entryOf(name: string, document: OpenApiDocument | undefined): JsonObject {
  return { serverRelativeURL: `/openapi/v3/${name}?hash=${document?.etag ?? ''}` };
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

function jsonDocument(document: JsonObject): OpenApiDocument {
  const body = Buffer.from(encodeRaw(document));
  return { body, etag: createHash('sha512').update(body).digest('hex').toUpperCase() };
}
