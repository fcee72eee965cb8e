import { describe, expect, test } from 'vitest';
import { finish } from '../api/turns.ts';
import { indentJson } from '../codec/json-indent.ts';
import { renderYaml } from '../codec/yaml-serializer.ts';
import type { CacheEntry } from '../watchcache/cache-entry.ts';
import { ListChunks, type ListForm } from './list-chunks.ts';
import { compactList, indentedList, type JsonList, yamlList } from './text-lists.ts';

const sentence =
  'a sentence that is so long that it is folded when it is written after some eighty columns, or a bit later';
const items = ['{"a":{"b":[1,{"c":"true"}]},"d":"two\\nlines\\n"}', '{}', `{"text":${JSON.stringify(sentence)}}`];
const heads = {
  items: '{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[',
  rows: '{"kind":"Table","apiVersion":"meta.k8s.io/v1","columnDefinitions":[{"name":"Name"}],"rows":[',
};

function sent(form: (list: JsonList) => ListForm, head: string): string {
  // Entries are passed through: their texts take their place.
  const entries = items.map((text) => ({ text }) as unknown as CacheEntry);
  const chunks = new ListChunks(form({ head, item: (entry) => (entry as unknown as { text: string }).text }), entries);
  let text = '';
  while (!chunks.finished) text += chunks.next().toString();
  return text;
}

describe.each(Object.entries(heads))(
  'a list of %s that is sent item by item reads as one that is written as a whole',
  (_, head) => {
    const whole = `${head}${items.join(',')}]}`;

    test('in compact JSON', () => expect(sent(compactList, head)).toBe(`${whole}\n`));

    test('in indented JSON', () =>
      expect(sent(indentedList, head)).toBe(finish(indentJson(Buffer.from(whole))).toString()));

    test('in YAML', () => expect(sent(yamlList, head)).toBe(renderYaml(whole)));
  },
);
