import { finish, type Work } from '../../api/turns.ts';
import { indentJson } from '../../codec/json-indent.ts';
import { renderYaml, yamlInTurns } from '../../codec/yaml-serializer.ts';
import type { CacheEntry } from '../../watchcache/cache-entry.ts';
import type { ListText } from './json-list.ts';
import { encodedForm } from './encoded-form.ts';
import type { ListForm } from './list-chunks.ts';

/** A list in JSON, from which its forms for people are made as well. */
export interface JsonList extends ListText {
  /** The JSON of one item. */
  readonly item: (entry: CacheEntry) => string;
  /** The same, pausing. */
  readonly read: (entry: CacheEntry) => Work<string>;
}

/** The list in compact JSON. */
export function compactList({ head, tail, item, read }: JsonList): ListForm {
  return encodedForm({
    head: Buffer.from(head),
    tail: Buffer.from(`${tail}\n`),
    separator: Buffer.from(','),
    encode: (entry) => Buffer.from(item(entry)),
    *read(entry) {
      return Buffer.from(yield* read(entry));
    },
  });
}

/** The list in JSON that is indented by two blanks a level. */
export function indentedList({ head, tail, item, read }: JsonList): ListForm {
  const empty = `"${fieldOf(head)}": []`;
  const text = finish(indentJson(Buffer.from(`${head}${tail}`))).toString();
  const at = text.indexOf(empty);
  return encodedForm({
    head: Buffer.from(`${text.slice(0, at)}${empty.slice(0, -1)}\n    `),
    tail: Buffer.from(`\n  ]${text.slice(at + empty.length)}`),
    separator: Buffer.from(',\n    '),
    encode: (entry) => finish(indentJson(Buffer.from(item(entry)), itemLevel)),
    *read(entry) {
      return yield* indentJson(Buffer.from(yield* read(entry)), itemLevel);
    },
  });
}

/** Items stand in a list in an object. */
const itemLevel = 2;

/** The field that the items stand in. */
function fieldOf(head: string): string {
  return /"(?<name>[a-zA-Z]+)":\[$/.exec(head)?.groups?.['name'] ?? '';
}

/** The list in YAML, whose keys are sorted: something may follow the items. */
export function yamlList({ head, tail, item, read }: JsonList): ListForm {
  const field = fieldOf(head);
  const empty = `\n${field}: []\n`;
  const text = renderYaml(`${head}${tail}`);
  const at = text.indexOf(empty);
  return encodedForm({
    head: Buffer.from(`${text.slice(0, at)}\n${field}:\n`),
    tail: Buffer.from(text.slice(at + empty.length)),
    // A list is not indented below its key, so its items are those of a list that stands alone.
    encode: (entry) => Buffer.from(renderYaml(`[${item(entry)}]`)),
    *read(entry) {
      return Buffer.from(yield* yamlInTurns(`[${yield* read(entry)}]`));
    },
    chunkBytes: yamlChunkBytes,
  });
}

/** YAML takes ten times the work of JSON. */
const yamlChunkBytes = 16 * 1024;
