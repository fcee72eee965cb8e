import { describe, expect, test } from 'vitest';
import { builtInKinds } from '../random-objects/kinds.ts';
import { allSerializers } from '../random-objects/serializers.ts';
import { fuzz } from './fuzz.ts';
import { tryBody } from './try-body.ts';

const count = 300;
const slowTestMs = 60_000;

describe('decoders refuse invalid input, and nothing else happens', () => {
  const seed = Date.now() % 2 ** 31;

  test.each(allSerializers)(
    `${count} mutated bodies in $mediaType, seed ${seed}`,
    { timeout: slowTestMs },
    (serializer) => {
      const { taken, refused } = fuzz({ serializer, seed, count });
      expect(taken + refused).toBe(count);
      expect(refused).toBeGreaterThan(0);
    },
  );

  test('a failure says how to reproduce its body', () => {
    const [json] = allSerializers;
    if (json === undefined) throw new Error('there is JSON');
    const broken = {
      ...json,
      decode: () => {
        throw new TypeError('broken');
      },
    };
    expect(() => fuzz({ serializer: broken, seed: 7, count: 1, from: 3 })).toThrow(
      /^application\/json, seed 7, body 3: TypeError: broken: /,
    );
  });

  test('a decoder that modifies the object prototype is detected', () => {
    const [json] = allSerializers;
    const [of] = builtInKinds;
    if (json === undefined || of === undefined) throw new Error('there is JSON, and there are kinds');
    const polluting = {
      ...json,
      decode(bytes: Uint8Array) {
        Object.defineProperty(Object.prototype, 'polluted', {
          value: 1,
          enumerable: true,
          configurable: true,
          writable: true,
        });
        return json.decode(bytes);
      },
    };
    let found: unknown;
    try {
      tryBody({ of, serializer: polluting, bytes: Buffer.from('{}'), writes: true });
    } catch (error) {
      found = error;
    } finally {
      Reflect.deleteProperty(Object.prototype, 'polluted');
    }
    expect(String(found)).toContain('every object has polluted now');
  });
});
