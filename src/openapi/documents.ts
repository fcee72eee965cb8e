import { encodeRaw, quoteJson } from '../api/json/json-text.ts';
import { TimeSlice } from '../api/scheduling/time-slice.ts';
import type { JsonObject } from '../api/json/json.ts';
import { keptBy, once } from '../api/collections/kept-by.ts';
import { sha512Of } from '../api/bytes/sha512.ts';
import { parseJson } from '../codec/json.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { RemoteVersion, SwaggerPart } from '../catalogue/remote-version.ts';
import { definitionsWith } from './definitions.ts';
import type { Documentation } from './documentation.ts';
import { type DocumentPart, documentParts } from './document-parts.ts';
import { encodeV2 } from './gnostic-v2.ts';
import { encodeV3 } from './gnostic-v3.ts';
import type { PathEntry } from './operation.ts';
import { besideOthers, remoteVersions } from './remote-parts.ts';
import { openApiV2, partOfV2 } from './v2.ts';
import { openApiV3 } from './v3.ts';

/** A document ready to be served. */
export interface OpenApiDocument {
  readonly body: Buffer;
  /** A strong validator without its quotes; for version 3 also the `hash` in the index. */
  readonly etag: string;
}

/** The OpenAPI documents of a server. Each is built on first use, one part after the other, and cached. */
export interface OpenApiDocuments {
  /** `/openapi/v3` */
  index(): Promise<OpenApiDocument>;
  /** `/openapi/v3/{path}`, such as `apis/apps/v1`. */
  v3(path: string): Promise<OpenApiDocument | undefined>;
  /** As gnostic's `openapi.v3.Document`. Has the ETag of the JSON form. */
  v3Protobuf(path: string): Promise<OpenApiDocument | undefined>;
  /** The version whose server has the document of version 3 at a path, if this one has not. */
  remote(path: string): RemoteVersion | undefined;
  /** `/openapi/v2` as JSON. */
  v2Json(): Promise<OpenApiDocument>;
  /** `/openapi/v2` as gnostic's `openapi.v2.Document`. Has the ETag of the JSON form. */
  v2Protobuf(): Promise<OpenApiDocument>;
}

export interface OpenApiOptions {
  /** `1.37` */
  readonly release: string;
  /** Called when the first document is made. */
  readonly documentation: () => Promise<Documentation>;
}

/** Returns the documents of a snapshot. Documents of a group or version are reused until that part changes. */
export function createOpenApi(options: OpenApiOptions): (catalogue: Catalogue) => OpenApiDocuments {
  const info = { title: 'Kubernetes', version: options.release };
  const documentation = once(() => options.documentation());
  const v3Of = (part: DocumentPart): Promise<JsonObject> => v3Document(part, info, documentation());
  const v3 = keptBy((part: DocumentPart) => promiseOnce(() => jsonOf(v3Of(part))));
  const v3Protobuf = keptBy((part: DocumentPart) => promiseOnce(() => protobufOf(v3Of(part), encodeV3, v3(part)())));
  const v2Parts = keptBy((part: DocumentPart) => v2Part(part, documentation()));
  return keptBy((catalogue: Catalogue) => {
    const parts = once(() => documentParts(catalogue));
    const remote = once(() => remoteVersions(catalogue));
    const made = { parts, remote, v2Of: v2Parts };
    const v2Json = promiseOnce(() => v2Document(made, info));
    const find = async (
      path: string,
      documentOf: (part: DocumentPart) => () => Promise<OpenApiDocument>,
    ): Promise<OpenApiDocument | undefined> => {
      const part = parts().get(path);
      return part === undefined ? undefined : documentOf(part)();
    };
    return {
      index: promiseOnce(() => indexDocument(made, (part) => v3(part)())),
      remote: (path) => (parts().has(path) ? undefined : remote().find(({ openApi }) => openApi?.v3.has(path))),
      v3: (path) => find(path, v3),
      v3Protobuf: (path) => find(path, v3Protobuf),
      v2Json,
      v2Protobuf: promiseOnce(() => v2Message(v2Json())),
    };
  });
}

/** Builds the document on the first call. */
function promiseOnce(make: () => Promise<OpenApiDocument>): () => Promise<OpenApiDocument> {
  return once(make);
}

async function v2Part(
  { paths, definitions }: DocumentPart,
  documentation: Promise<Documentation>,
): Promise<SwaggerPart> {
  return partOfV2(paths(), definitionsWith(definitions()), await documentation);
}

/** What the documents of a snapshot are made from. */
interface Sources {
  readonly parts: () => ReadonlyMap<string, DocumentPart>;
  /** Versions of other servers. */
  readonly remote: () => readonly RemoteVersion[];
  readonly v2Of: (part: DocumentPart) => Promise<SwaggerPart>;
}

async function v2Document({ parts, remote, v2Of }: Sources, info: JsonObject): Promise<OpenApiDocument> {
  const made: SwaggerPart[] = [];
  const timeSlice = new TimeSlice();
  for (const part of parts().values()) {
    if (timeSlice.isOver) await timeSlice.next();
    made.push(await v2Of(part));
  }
  const others = remote().flatMap(({ openApi }) => openApi?.v2 ?? []);
  const beside = others.length === 0 ? [] : besideOthers(made, others);
  // Paths of this server are its own.
  const pieces = openApiV2([...beside, ...made], info);
  return documentFrom(Buffer.concat(pieces));
}

async function v2Message(json: Promise<OpenApiDocument>): Promise<OpenApiDocument> {
  const { body, etag } = await json;
  const { value } = parseJson(body);
  // The document is an object.
  return { body: encodeV2(value as JsonObject), etag };
}

/** The info object of custom resource documents. */
const customInfo: JsonObject = { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' };

async function v3Document(
  { paths, version, isCustom, definitions }: DocumentPart,
  release: JsonObject,
  documentation: Promise<Documentation>,
): Promise<JsonObject> {
  const entries = paths().toSorted(byPath);
  return openApiV3({
    paths: entries,
    info: isCustom ? customInfo : release,
    definitions: definitionsWith(definitions()),
    documentation: await documentation,
    documentVersion: version,
    isCustom,
  });
}

function byPath(a: PathEntry, b: PathEntry): number {
  return a.path < b.path ? -1 : 1;
}

async function indexDocument(
  { parts, remote }: Sources,
  documentOf: (part: DocumentPart) => Promise<OpenApiDocument>,
): Promise<OpenApiDocument> {
  const urls = new Map<string, string>();
  for (const { openApi } of remote()) {
    for (const [name, url] of openApi?.v3 ?? []) {
      urls.set(name, url);
    }
  }
  const entries: string[] = [];
  const names = [...urls.keys(), ...[...parts().keys()].filter((name) => !urls.has(name))];
  const timeSlice = new TimeSlice();
  for (const name of names.sort()) {
    if (timeSlice.isOver) await timeSlice.next();
    const part = parts().get(name);
    const entry =
      part === undefined ? { serverRelativeURL: urls.get(name) ?? '' } : entryOf(name, await documentOf(part));
    entries.push(`${quoteJson(name)}:${encodeRaw(entry)}`);
  }
  return documentFrom(Buffer.from(`{"paths":{${entries.join(',')}}}`));
}

function entryOf(name: string, { etag }: OpenApiDocument): JsonObject {
  return { serverRelativeURL: `/openapi/v3/${name}?hash=${etag}` };
}

async function jsonOf(making: Promise<JsonObject>): Promise<OpenApiDocument> {
  return documentFrom(Buffer.from(encodeRaw(await making)));
}

function documentFrom(body: Buffer): OpenApiDocument {
  return { body, etag: sha512Of(body) };
}

async function protobufOf(
  making: Promise<JsonObject>,
  encode: (document: JsonObject) => Buffer,
  json: Promise<OpenApiDocument>,
): Promise<OpenApiDocument> {
  const document = await making;
  const { etag } = await json;
  return { body: encode(document), etag };
}
