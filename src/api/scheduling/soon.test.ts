import { expect, it } from 'vitest';
import { onceSoon } from './soon.ts';

it('makes a value once, and has it at once when it is there', async () => {
  let made = 0;
  const { promise, resolve } = Promise.withResolvers<string>();
  const value = onceSoon(() => {
    made += 1;
    return promise;
  });
  const [first, second] = [value(), value()];
  expect(first).toBeInstanceOf(Promise);
  resolve('a');
  expect(await Promise.all([first, second])).toEqual(['a', 'a']);
  expect(value()).toBe('a');
  expect(made).toBe(1);
});

it('does not try again what has failed', async () => {
  let made = 0;
  const value = onceSoon(() => {
    made += 1;
    return Promise.reject(new Error('no'));
  });
  await expect(value()).rejects.toThrow('no');
  await expect(value()).rejects.toThrow('no');
  expect(made).toBe(1);
});
