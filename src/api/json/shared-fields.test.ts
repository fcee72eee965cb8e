import { describe, expect, it } from 'vitest';
import type { JsonObject } from './json.ts';
import { sharedFieldsOf, sharedFieldsText, shareFields } from './shared-fields.ts';

function fieldsOf(count: number, first = 'f:a'): JsonObject {
  const rest = Array.from({ length: count }, (_, index) => [`f:k${index}`, {}] as const);
  return { 'f:data': { [first]: {}, ...Object.fromEntries(rest) } };
}

describe('small sets of fields', () => {
  const text = JSON.stringify(fieldsOf(3));
  it('share one object per text', () => {
    expect(sharedFieldsOf(text)).toBe(shareFields(fieldsOf(3)));
  });
});

describe('large sets of fields', () => {
  const text = JSON.stringify(fieldsOf(20_000));
  it('are not shared, and are written as stored', () => {
    const fields = sharedFieldsOf(text);
    expect(fields).toEqual(fieldsOf(20_000));
    expect(sharedFieldsOf(text)).not.toBe(fields);
    expect(fields && sharedFieldsText(fields)).toBe(text);
    const own = fieldsOf(20_000);
    expect(shareFields(own)).toBe(own);
  });
  it('may have item keys', () => {
    const items = JSON.stringify(fieldsOf(20_000, 'k:{"name":"a","port":1}'));
    expect(sharedFieldsOf(items)).toBeDefined();
  });
  it.each([
    ['blanks', text.replace(':', ': ')],
    ['other escapes', text.replace('f:a', String.raw`f:\u0061`)],
    ['characters of HTML', text.replace('f:a', 'f:<')],
    ['values that are no fields', text.replace('{}', '1')],
  ])('with %s are left to the generic path', (_, odd) => {
    expect(sharedFieldsOf(odd)).toBeUndefined();
  });
});
