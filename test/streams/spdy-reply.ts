/** A SYN_REPLY without headers; all header blocks of a connection are one stream of zlib. */
export function replyTo(stream: number, isFirst: boolean): Buffer {
  const block = [...(isFirst ? [0x78, 0x01] : []), 0, 4, 0, 0xfb, 0xff, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];
  const frame = Buffer.alloc(12 + block.length);
  frame.writeUInt32BE(0x80_03_00_02, 0);
  frame.writeUIntBE(4 + block.length, 5, 3);
  frame.writeUInt32BE(stream, 8);
  frame.set(block, 12);
  return frame;
}
