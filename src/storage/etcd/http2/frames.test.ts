import { expect, test } from 'vitest';
import { flags, type Frame, FrameReader, frameTypes, goAwayFrame, pingFrame } from './frames.ts';

function readFrame(bytes: Buffer): Frame {
  const frames: Frame[] = [];
  new FrameReader((frame) => frames.push(frame)).push(bytes);
  const [frame] = frames;
  if (frame === undefined || frames.length > 1) throw new Error(`${frames.length} frames`);
  return frame;
}

test('a ping has eight bytes, which its acknowledgement repeats', () => {
  const payload = Buffer.from('12345678');
  expect(readFrame(pingFrame())).toEqual({ type: frameTypes.ping, flags: 0, stream: 0, payload: Buffer.alloc(8) });
  expect(readFrame(pingFrame(payload))).toEqual({ type: frameTypes.ping, flags: flags.ack, stream: 0, payload });
});

test('a GOAWAY names no stream, and its error', () => {
  const payload = Buffer.from([0, 0, 0, 0, 0, 0, 0, 6]);
  expect(readFrame(goAwayFrame(6))).toEqual({ type: frameTypes.goAway, flags: 0, stream: 0, payload });
});
