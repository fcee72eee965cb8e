import { expect, it } from 'vitest';
import { cpuTimeMs } from '../../test/cpu-time.ts';
import { noteHuge } from '../api/huge-objects.ts';
import type { JsonObject } from '../api/json.ts';
import { encodeJsonBytes } from '../schema/encode-json.ts';
import { schemaOfKind } from '../schema/kubernetes/definitions.ts';
import { encodeInTurns } from './encode-in-turns.ts';

const schema = schemaOfKind({ group: '', version: 'v1', kind: 'ConfigMap' });
if (schema === undefined) throw new Error('no schema of config maps');

type ConfigMap = JsonObject & { readonly metadata: JsonObject; readonly apiVersion: string; readonly kind: string };

function configMap(data: JsonObject): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'large', labels: { ü: '<a>' } }, data };
}

/** Unsorted keys and all kinds of text. */
function hugeMap(count: number): JsonObject {
  const values = ['', 'a', '"\\\n<&>', 'ü\u2028', 'x'.repeat(100)];
  const map: JsonObject = { ü: 'after all letters', '"<': '', '\u{10000}': 'after U+FFFF', '\uffff': '' };
  for (let i = 0; i < count; i++) map[`k${(i * 7919) % count}`] = values[i % values.length] ?? '';
  noteHuge(map, 'k0');
  return map;
}

it('writes huge maps like others', async () => {
  const object = configMap(hugeMap(5_000));
  const atOnce = encodeJsonBytes(schema, object);
  expect((await encodeInTurns([object], () => encodeJsonBytes(schema, object))).equals(atOnce)).toBe(true);
  expect(encodeJsonBytes(schema, object).equals(atOnce)).toBe(true);
});

it('leaves maps to the encoder whose values are no strings', async () => {
  const data = { ...hugeMap(5_000), none: null };
  noteHuge(data, 'k0');
  const object = configMap(data);
  const written = await encodeInTurns([object], () => encodeJsonBytes(schema, object));
  expect(written.equals(encodeJsonBytes(schema, object))).toBe(true);
});

it('leaves little for the last step', async () => {
  const data = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${100_000 + index}`, 'a']));
  noteHuge(data, 'k100000');
  const object = configMap(data);
  const [atOnce, last]: [number[], number[]] = [[], []];
  const encode = (times: number[]) => () => times.push(cpuTimeMs(() => encodeJsonBytes(schema, object)));
  for (let tries = 0; tries < 3; tries++) {
    encode(atOnce)();
    await encodeInTurns([object], encode(last));
  }
  expect(Math.min(...last)).toBeLessThan(Math.min(...atOnce) / 4);
});
