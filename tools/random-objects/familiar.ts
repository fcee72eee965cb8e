import type { JsonValue } from '../../src/api/json/json.ts';
import type { Palette } from './generate.ts';
import { pick } from './random.ts';

/** Few simple values, so that two objects have much in common. */
export const familiar: Palette = {
  words: ['a', 'b', 'c', 'd'],
  integers: [0, 1, 2],
  numbers: [0.5, 1.5, 2.5],
  formats: {
    'date-time': ['2026-01-02T03:04:05Z', '2025-12-31T23:59:59Z'],
    'micro-time': ['2026-01-02T03:04:05.000006Z'],
    duration: ['1m0s', '3s'],
    quantity: ['1', '100m', '2Gi'],
    byte: ['YQ==', 'Yg=='],
  },
  any(random, { format }) {
    if (format === 'int-or-string') return random() < 0.5 ? pick(random, this.words) : 1;
    if (format === 'json') return pick<JsonValue>(random, [1, 'a', [1, 2], { a: 1 }]);
    if (format === 'schema-or-bool') return random() < 0.5;
    return format === 'schema-or-strings' ? ['a'] : {};
  },
  isLeftOut: ({ name }) => name === 'managedFields',
  nulls: 0,
  shuffled: false,
};
