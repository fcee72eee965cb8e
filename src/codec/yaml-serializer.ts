import { StatusError } from '../api/errors/status.ts';
import { nodeAtDepth, type JsonTree, plainOf } from '../api/json/json-tree.ts';
import { type Document, jsonTextOf } from './document.ts';
import { maxNestingDepth } from './json-syntax.ts';
import { BodySyntaxError, type DecodedBody, type Serializer } from './serializer.ts';
import { YamlError } from './yaml/error.ts';
import { parsePlainJson } from './yaml/plain-json.ts';
import { parseYaml } from './yaml/read.ts';
import { yamlPieces } from './yaml/write.ts';

export const yamlSerializer: Serializer = { mediaType: 'application/yaml', decode, write, writePieces };

function decode(bytes: Uint8Array): DecodedBody {
  const value = parsePlainJson(bytes);
  if (value !== undefined) {
    return { source: { value, faithful: true, tree: () => parseYaml(bytes).tree }, strictErrors: [] };
  }
  try {
    const { tree, duplicates } = parseYaml(bytes);
    checkDepth(tree);
    const strictErrors =
      duplicates.length === 0 ? [] : [`yaml: unmarshal errors:\n${duplicates.map((line) => `  ${line}`).join('\n')}`];
    // Duplicates are gone and numbers have their JSON form, so plain data lose nothing but the form of large numbers.
    return { source: { value: plainOf(tree), faithful: true, tree: () => tree }, strictErrors };
  } catch (error) {
    throw error instanceof YamlError ? new BodySyntaxError(error.message) : error;
  }
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

/** YAML has one form, pretty or not. What it cannot represent is a server error. */
function write(document: Document): Uint8Array {
  return renderYaml(jsonTextOf(document));
}

function writePieces(document: Document): Iterable<Uint8Array> {
  return orServerError(jsonTextOf(document));
}

/** The YAML of a JSON fragment of an answer. Throws as above. */
export function renderYaml(json: string): Buffer {
  return Buffer.concat([...orServerError(json)]);
}

function* orServerError(json: string): Iterable<Buffer> {
  try {
    yield* yamlPieces(json);
  } catch (error) {
    throw error instanceof YamlError ? new StatusError({ code: 500, message: error.message }) : error;
  }
}
