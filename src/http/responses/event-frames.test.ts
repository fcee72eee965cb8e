import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Frame, FramePages, joined } from './event-frames.ts';

const frames = fc.array(
  fc.record({ bytes: fc.uint8Array({ maxLength: 2000 }), times: fc.integer({ min: 1, max: 20 }) }),
  { minLength: 1, maxLength: 40 },
);

it('runs of frames are their bytes, wherever they stand', () => {
  fc.assert(
    fc.property(frames, fc.gen(), (parts, gen) => {
      const pages = new FramePages();
      const all = parts.map(({ bytes, times }) => new Frame(Buffer.concat(Array.from({ length: times }, () => bytes))));
      // Some have been sent in another order, or not at all.
      for (const frame of gen(fc.shuffledSubarray, all)) pages.place(frame);
      const first = gen(fc.integer, { min: 0, max: all.length - 1 });
      const group = all.slice(first, gen(fc.integer, { min: first + 1, max: all.length }));
      for (const frame of gen(fc.boolean) ? group : []) pages.place(frame);
      const size = group.reduce((sum, { bytes }) => sum + bytes.length, 0);
      expect(Buffer.from(joined(group, size)).equals(Buffer.concat(group.map(({ bytes }) => bytes)))).toBe(true);
    }),
  );
});

it('frames that are placed one after the other need no copy to be joined', () => {
  const pages = new FramePages();
  const all = Array.from({ length: 10 }, (_, index) => new Frame(Buffer.alloc(1000, index)));
  for (const frame of all) pages.place(frame);
  const [some, more] = [joined(all.slice(2, 6), 4000), joined(all.slice(3, 9), 6000)];
  expect(some.buffer).toBe(more.buffer);
  expect(more.byteOffset - some.byteOffset).toBe(1000);
});
