import { StatusError } from '../api/status.ts';
import { nodeAtDepth, type JsonSource, type JsonTree, readPlain } from '../api/json-tree.ts';
import { finish, type Work } from '../api/turns.ts';
import { type Document, writeJsonTextOf } from './document.ts';
import { maxNestingDepth } from './json-syntax.ts';
import { BodySyntaxError, type DecodedBody, type Serializer } from './serializer.ts';
import { YamlError } from './yaml/error.ts';
import { readPlainJson } from './yaml/plain-json.ts';
import { parseYaml, readYaml } from './yaml/read.ts';
import { writeYaml, writeYamlPieces } from './yaml/write.ts';

export const yamlSerializer: Serializer = { mediaType: 'application/yaml', decode, write, writePieces };

function* decode(bytes: Uint8Array): Work<DecodedBody> {
  const value = yield* readPlainJson(bytes);
  if (value !== undefined) {
    const source = { value, faithful: true, tree: () => parseYaml(bytes).tree, readTree: () => readTree(bytes) };
    return { source, strictErrors: [] };
  }
  try {
    const { tree, duplicates } = yield* readYaml(bytes);
    checkDepth(tree);
    const strictErrors =
      duplicates.length === 0 ? [] : [`yaml: unmarshal errors:\n${duplicates.map((line) => `  ${line}`).join('\n')}`];
    return { source: yield* sourceOf(tree), strictErrors };
  } catch (error) {
    throw error instanceof YamlError ? new BodySyntaxError(error.message) : error;
  }
}

function readTree(bytes: Uint8Array): JsonTree {
  return finish(readYaml(bytes)).tree;
}

/** The reference continues with the JSON of what it has read, which has a limit of its own. */
function checkDepth(tree: JsonTree): void {
  const tooDeep = nodeAtDepth(tree, maxNestingDepth);
  if (tooDeep === undefined) return;
  const bracket = Array.isArray(tooDeep) ? '[' : '{';
  throw new BodySyntaxError(
    `couldn't get version/kind; json parse error: invalid character '${bracket}' exceeded max depth`,
  );
}

/** Duplicates are gone and numbers have their JSON form, so plain data lose nothing but the form of large numbers. */
function* sourceOf(tree: JsonTree): Work<JsonSource> {
  yield;
  return {
    value: readPlain(tree),
    faithful: true,
    tree: () => tree,
  };
}

/** YAML has one form, pretty or not. What it cannot represent is a server error. */
function* write(document: Document): Work<Uint8Array> {
  return yield* yamlInTurns(yield* writeJsonTextOf(document));
}

function* writePieces(document: Document, take: (piece: Uint8Array) => void): Work<void> {
  yield* orServerError(writeYamlPieces(yield* writeJsonTextOf(document), take));
}

/** The YAML of a JSON fragment of an answer. Throws as above. */
export function renderYaml(json: string): Buffer {
  return finish(yamlInTurns(json));
}

/** As above, with pauses. */
export function yamlInTurns(json: string): Work<Buffer> {
  return orServerError(writeYaml(json));
}

function* orServerError<T>(writing: Work<T>): Work<T> {
  try {
    return yield* writing;
  } catch (error) {
    throw error instanceof YamlError ? new StatusError({ code: 500, message: error.message }) : error;
  }
}
