import { expect, it } from 'vitest';
import { withoutManagedFields } from './without-managed-fields.ts';

const shown = (json: string): string => Buffer.from(withoutManagedFields(Buffer.from(json))).toString();

it('keeps everything else, however deep', () => {
  const [owned, deep] = [`"managedFields":[{"manager":"x"}]`, '[{"a":'.repeat(5_000) + '1' + '}]'.repeat(5_000)];
  const object = (fields: string): string => `{"metadata":{"name":"a"${fields}},"spec":${deep}}`;
  expect(shown(object(`,${owned}`)) === object('')).toBe(true);
});
