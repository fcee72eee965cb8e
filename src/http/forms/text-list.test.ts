import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../api/json/json.ts';
import { indentJson } from '../../codec/json-indent.ts';
import { renderYaml } from '../../codec/yaml-serializer.ts';
import { CacheEntry } from '../../watchcache/cache-entry.ts';
import { ListChunks, type ListLayout } from './list-chunks.ts';
import type { ShownList, ListText } from './shown-list.ts';
import { compactList, indentedList, yamlList } from './text-list.ts';

const sentence =
  'a sentence that is so long that it is folded when it is written after some eighty columns, or a bit later';
const items = ['{"a":{"b":[1,{"c":"true"}]},"d":"two\\nlines\\n"}', '{}', `{"text":${JSON.stringify(sentence)}}`];
const around = {
  items: { head: '{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[', tail: ']}' },
  rows: {
    head: '{"kind":"Table","apiVersion":"meta.k8s.io/v1","columnDefinitions":[{"name":"Name"}],"rows":[',
    tail: ']}',
  },
  'items of custom kinds': {
    head: '{"apiVersion":"harbor.example.com/v1","items":[',
    tail: '],"kind":"BuoyList","metadata":{"continue":"","resourceVersion":"7"}}',
  },
};

const item = (entry: CacheEntry): JsonObject => JSON.parse(entry.value.toString()) as JsonObject;

/** A list whose entries' values are the items. */
function sourceOf(text: ListText, entries: readonly CacheEntry[]): ShownList {
  const type = { group: '', version: 'v1', kind: 'List' };
  return { type, metadata: {}, entries, stored: undefined, itemSchema: undefined, around: () => text, item };
}

function sent(layout: (list: ShownList) => ListLayout, text: ListText): string {
  const entries = items.map((text, index) => new CacheEntry(`/registry/x/${index}`, Buffer.from(text), 1));
  const chunks = new ListChunks(layout(sourceOf(text, entries)), entries);
  let all = '';
  while (!chunks.finished) all += chunks.next().toString();
  return all;
}

describe.each(Object.entries(around))('a list of %s sent item by item equals one written as a whole', (_, text) => {
  const whole = `${text.head}${items.join(',')}${text.tail}`;

  test('in compact JSON', () => expect(sent(compactList, text)).toBe(`${whole}\n`));

  test('in indented JSON', () => expect(sent(indentedList, text)).toBe(indentJson(Buffer.from(whole)).toString()));

  test('in YAML', () => expect(sent(yamlList, text)).toBe(renderYaml(whole).toString()));
});
