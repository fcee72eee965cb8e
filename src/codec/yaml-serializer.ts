import { type JsonSource, type JsonTree, plainOf } from '../api/json-tree.ts';
import { isUtf8 } from 'node:buffer';
import { BodySyntaxError, type DecodedBody, type Serializer } from './serializer.ts';
import { parseYaml, YamlError } from './yaml.ts';
import { encodeYaml } from './yaml-encode.ts';

export const yamlSerializer: Serializer = { mediaType: 'application/yaml', decode, render };

function decode(bytes: Uint8Array): DecodedBody {
  if (!isUtf8(bytes)) throw new BodySyntaxError('yaml: invalid leading UTF-8 octet');
  try {
    const { tree, duplicates } = parseYaml(Buffer.from(bytes).toString('utf8'));
    const strictErrors =
      duplicates.length === 0 ? [] : [`yaml: unmarshal errors:\n${duplicates.map((line) => `  ${line}`).join('\n')}`];
    return { source: sourceOf(tree), strictErrors };
  } catch (error) {
    throw error instanceof YamlError ? new BodySyntaxError(error.message) : error;
  }
}

/** Duplicates are gone and numbers have their JSON form, so plain data tell all but the form of large numbers. */
function sourceOf(tree: JsonTree): JsonSource {
  return { value: plainOf(tree), faithful: true, tree: () => tree };
}

/** YAML has one form, pretty or not. */
function render(json: Uint8Array): Uint8Array {
  return Buffer.from(encodeYaml(Buffer.from(json).toString('utf8')));
}
