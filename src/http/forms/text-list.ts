import { indentJson } from '../../codec/json-indent.ts';
import { utf8Text } from '../../codec/document.ts';
import { renderYaml } from '../../codec/yaml-serializer.ts';
import { encodedList } from './encoded-list.ts';
import type { ListLayout } from './list-chunks.ts';
import { itemJson, type ShownList } from './shown-list.ts';

/** The list in compact JSON. */
export function compactList(source: ShownList): ListLayout {
  const { head, tail } = source.around();
  return encodedList({
    head: Buffer.from(head),
    tail: Buffer.from(`${tail}\n`),
    separator: Buffer.from(','),
    encode: (entry) => itemJson(source, entry),
  });
}

/** The list in JSON, indented by two spaces per level. */
export function indentedList(source: ShownList): ListLayout {
  const { head, tail } = source.around();
  const empty = `"${fieldOf(head)}": []`;
  const text = indentJson(Buffer.from(`${head}${tail}`)).toString();
  const at = text.indexOf(empty);
  return encodedList({
    head: Buffer.from(`${text.slice(0, at)}${empty.slice(0, -1)}\n    `),
    tail: Buffer.from(`\n  ]${text.slice(at + empty.length)}`),
    separator: Buffer.from(',\n    '),
    encode: (entry) => indentJson(itemJson(source, entry), itemLevel),
  });
}

/** The nesting depth of items: a list in an object. */
const itemLevel = 2;

/** The name of the field with the items. */
function fieldOf(head: string): string {
  return /"(?<name>[a-zA-Z]+)":\[$/.exec(head)?.groups?.['name'] ?? '';
}

/** The list in YAML. Keys are sorted, so fields may follow the items. */
export function yamlList(source: ShownList): ListLayout {
  const { head, tail } = source.around();
  const field = fieldOf(head);
  const empty = `\n${field}: []\n`;
  const text = renderYaml(`${head}${tail}`).toString();
  const at = text.indexOf(empty);
  return encodedList({
    head: Buffer.from(`${text.slice(0, at)}\n${field}:\n`),
    tail: Buffer.from(text.slice(at + empty.length)),
    // Sequences are not indented below their key, so an item looks the same as in a top-level sequence.
    encode: (entry) => renderYaml(`[${utf8Text(itemJson(source, entry))}]`),
    chunkBytes: yamlChunkBytes,
  });
}

/** YAML is ten times slower to write than JSON. */
const yamlChunkBytes = 16 * 1024;
