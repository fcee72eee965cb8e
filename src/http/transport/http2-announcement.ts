import { getPackedSettings, type Http2SecureServer, type Settings } from 'node:http2';
import type { TLSSocket } from 'node:tls';

/** HTTP/2 frame types (RFC 9113 section 6); one of the range for experiments (section 11.2). */
const frameTypes = { settings: 4, unknown: 0xf5 } as const;

/**
 * Tells clients how many streams they may have open, but does not tell node. Node counts the streams that a client has
 * cancelled until the next round of the event loop, and would refuse the requests that arrive together with the
 * cancellations. What it counts against is what it announces, so it announces nothing, where no client looks: the first
 * frame is ours, and node's own is the payload of a frame of an unknown type, which clients skip (RFC 9113 section
 * 5.5). The client confirms one SETTINGS frame, as node expects.
 *
 *     SETTINGS: all, and 100 streams | type 0xf5: 9 + n bytes | SETTINGS: all else
 *     `------------ from here -------------------------------' `---- from node ---'
 */
export function announceStreams(server: Http2SecureServer, own: Settings, maxStreams: number): void {
  const hidden = getPackedSettings(own);
  const shown = getPackedSettings({ ...own, maxConcurrentStreams: maxStreams });
  const bytes = Buffer.concat([
    frameHead(frameTypes.settings, shown.length),
    shown,
    frameHead(frameTypes.unknown, headBytes + hidden.length),
  ]);
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

const headBytes = 9;

/** Of a frame that belongs to no stream, without flags (RFC 9113 section 4.1). */
function frameHead(type: number, lengthBytes: number): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUIntBE(lengthBytes, 0, 3);
  head.writeUInt8(type, 3);
  return head;
}
