import type { SecureServerOptions } from 'node:http2';

/** Of the head of a request, over HTTP/1.1 and HTTP/2. The reference takes a megabyte, which we should be too long reading. */
const maxHeadBytes = 64 * 1024;
const maxHeaders = 1000;

/** To finish a handshake, to send the head of a request, and for a connection to say anything at all. */
export const headersTimeoutMs = 32_000;
/** Between requests, as in the reference. */
export const idleTimeoutMs = 90_000;
/** A client that takes nothing for so long of what it is sent is cut off. */
export const stallMs = 60_000;
/** A body that has been refused, or that nobody wants, is read and dropped for so long, so that the client hears the answer. */
export const droppedBody = { bytes: 16 << 20, ms: 10_000 };

/** What one upload may send before it is read; as in the reference. */
const initialWindowBytes = 256 * 1024;
/** What one connection may hold, in megabytes: thousands of watches share one. */
const sessionMemoryMegabytes = 256;

/** Bounds of what a connection may make node hold or do. */
export const connectionLimits = {
  handshakeTimeout: headersTimeoutMs,
  maxSessionMemory: sessionMemoryMegabytes,
  maxHeaderListPairs: maxHeaders,
  // Streams that are opened and reset at once (CVE-2023-44487): past the burst the connection is closed.
  streamResetBurst: 1000,
  streamResetRate: 33,
  // Breaches of the protocol that one connection may commit.
  maxSessionInvalidFrames: 100,
  maxSessionRejectedStreams: 100,
  settings: { initialWindowSize: initialWindowBytes, maxHeaderListSize: maxHeadBytes },
} satisfies SecureServerOptions;

/** Properties of node's HTTP/1.1 server. */
export const http1Limits = {
  maxHeadersCount: maxHeaders,
  maxHeaderSize: maxHeadBytes,
  headersTimeout: headersTimeoutMs,
  keepAliveTimeout: idleTimeoutMs,
  // Bodies have the deadline of their request; this is for those that nobody reads.
  requestTimeout: 300_000,
  connectionsCheckingInterval: 5_000,
};
