import { getPackedSettings, type Http2SecureServer, type Settings } from 'node:http2';
import type { TLSSocket } from 'node:tls';

/** The type of a SETTINGS frame (RFC 9113 section 6.5). */
const settingsType = 4;
/** Bytes of the head of a frame (section 4.1). */
const headBytes = 9;
/** One of the settings reserved for nothing, which clients ignore as they ignore all that they do not know. */
const ignoredSetting = 0x0a0a;

/**
 * Tells clients how many streams they may have open, but does not tell node. Node counts the streams that a client has
 * cancelled until the next round of the event loop, and would refuse the requests that arrive together with the
 * cancellations. What it counts against is what it announces, so it announces nothing: the limit is written before its
 * SETTINGS frame, whose bytes become part of ours. Its head is read as two settings that mean nothing. The client
 * confirms one frame, as node expects.
 *
 *                 our bytes                 |           bytes of node's frame
 *     head | 0003: 100 | 0a0a: 00 ..        | length | 0400: stream 0 | its settings
 *            a setting   half a setting       the rest  a setting
 */
export function announceStreams(server: Http2SecureServer, own: Settings, maxStreams: number): void {
  const announced = getPackedSettings({ maxConcurrentStreams: maxStreams });
  const half = Buffer.alloc(3);
  half.writeUInt16BE(ignoredSetting);
  const ownBytes = headBytes + getPackedSettings(own).length;
  const bytes = Buffer.concat([settingsHead(announced.length + half.length + ownBytes), announced, half]);
  const [accept] = server.listeners('secureConnection') as ((socket: TLSSocket) => void)[];
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket) => {
    if (socket.alpnProtocol !== 'h2') accept?.call(server, socket);
    // A session writes without node's streams: it may begin once all others have ended.
    else
      socket.write(bytes, () => {
        if (!socket.destroyed) accept?.call(server, socket);
      });
  });
}

function settingsHead(lengthBytes: number): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUIntBE(lengthBytes, 0, 3);
  head.writeUInt8(settingsType, 3);
  return head;
}
