import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dataFrames, FrameReader, pingFrame, type SpdyFrame, StreamOpener } from './frames.ts';

/** Parts of the data of one frame are put together. */
function read(chunks: readonly Buffer[]): SpdyFrame[] {
  const reader = new FrameReader();
  const frames: SpdyFrame[] = [];
  for (const frame of chunks.flatMap((chunk) => [...reader.read(chunk)])) {
    const last = frames.at(-1);
    if (frame.type !== 'data' || last?.type !== 'data' || last.isLast || last.stream !== frame.stream)
      frames.push(frame);
    else frames.splice(-1, 1, { ...frame, data: Buffer.concat([last.data, frame.data]) });
  }
  return frames;
}

test('what is written is read, in whatever pieces it comes', () => {
  const frame = fc.record({
    stream: fc.integer({ min: 1, max: 0x7f_ff_ff_ff }),
    data: fc.uint8Array({ maxLength: 100 }),
  });
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 5 }), fc.array(fc.nat(50), { maxLength: 20 }), (frames, sizes) => {
      const written = frames.map(({ stream, data }) => ({
        type: 'data',
        stream,
        data: Buffer.from(data),
        isLast: true,
      }));
      const bytes = Buffer.concat(written.flatMap(({ stream, data }) => dataFrames(stream, data, true)));
      const chunks: Buffer[] = [];
      let at = 0;
      for (const size of sizes) chunks.push(bytes.subarray(at, (at += size)));
      expect(read([...chunks, bytes.subarray(at)])).toEqual(written);
    }),
  );
});

test('data that is too long for a frame is split, and only its last part ends the stream', () => {
  const data = Buffer.alloc(0xff_ff_ff + 1, 'x');
  const frames = [...new FrameReader().read(Buffer.concat(dataFrames(1, data, true)))];
  expect(frames.map((frame) => frame.type === 'data' && [frame.data.length, frame.isLast])).toEqual([
    [0xff_ff_ff, false],
    [1, true],
  ]);
});

test('header blocks are one stream that zlib reads', () => {
  const opener = new StreamOpener();
  const frames = [opener.open(1, { streamtype: 'error' }), opener.open(3, { streamtype: 'stdin', requestid: '0' })];
  // Behind the head of the frame, the numbers of the stream, and the head of zlib.
  const blocks = frames.map((frame, index) => frame.subarray(index === 0 ? 20 : 18));
  const text = inflateRawSync(Buffer.concat([...blocks, Buffer.from([3, 0])]));
  expect(text.toString('latin1').replaceAll(/\0+./gs, ' ')).toBe('  streamtype error  streamtype stdin requestid 0');
  const [first] = new FrameReader().read(Buffer.concat(frames));
  expect(first).toEqual({ type: 'control', control: 1, stream: 1, isLast: false });
});

test('pings are read, and settings are skipped', () => {
  const settings = Buffer.from([0x80, 3, 0, 4, 0, 0, 0, 4, 0, 0, 0, 0]);
  expect(read([settings, pingFrame(2)])).toEqual([{ type: 'ping', id: 2 }]);
});

test.each([
  ['of another version', [0x80, 2, 0, 1, 0, 0, 0, 0]],
  ['that is too long', [0x80, 3, 0, 2, 0, 0xff, 0, 0]],
])('a control frame %s is refused', (_what, bytes) => {
  expect(() => read([Buffer.from(bytes)])).toThrow('frame');
});

test('no input does more than fail', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (chunks) => {
      try {
        read(chunks.map((chunk) => Buffer.from(chunk)));
      } catch (error) {
        expect(error).toHaveProperty('code', 'SPDY');
      }
    }),
  );
});
