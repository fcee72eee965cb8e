import type { SecureServerOptions } from 'node:http2';

/**
 * The size limit of a request head, over HTTP/1.1 and HTTP/2. The reference allows a megabyte, which would take us too
 * long to parse.
 */
const maxHeadBytes = 64 * 1024;
const maxHeaders = 1000;

/** For the TLS handshake, for sending a request head, and for a connection's first byte. */
export const headersTimeoutMs = 32_000;
/** Between requests, as in the reference. */
export const idleTimeoutMs = 90_000;
/** A client that reads nothing for this long is cut off. */
export const stallMs = 60_000;
/** A refused or unread body is read and discarded up to these limits, so that the client gets the response. */
export const droppedBody = { bytes: 16 << 20, ms: 10_000 };

/** The flow-control window of one upload; as in the reference. */
const initialWindowBytes = 256 * 1024;
/**
 * Node keeps counting what it had not yet sent of cancelled responses, and refuses all streams of a connection beyond
 * its limit; what a connection takes is limited by its streams, and by how long an unread response is kept.
 */
const sessionMemoryMegabytes = 1_000_000;

/** Node needs a number; nobody can send as many frames. */
const noLimit = 0xffff_ffff;

/** Limits on what one connection can make node hold or do. */
export const connectionLimits = {
  handshakeTimeout: headersTimeoutMs,
  maxSessionMemory: sessionMemoryMegabytes,
  maxHeaderListPairs: maxHeaders,
  // How often clients cancel requests is their own affair, but not how many the server still works on: Http2Connection.
  streamResetBurst: noLimit,
  streamResetRate: noLimit,
  // Protocol violations tolerated per connection.
  maxSessionInvalidFrames: 100,
  maxSessionRejectedStreams: 100,
  // Otherwise nghttp2 drops fields with blanks around their values, and nobody knows that `Impersonate-User` was there.
  strictFieldWhitespaceValidation: false,
  settings: { initialWindowSize: initialWindowBytes, maxHeaderListSize: maxHeadBytes },
} satisfies SecureServerOptions;

/** Properties of node's HTTP/1.1 server. */
export const http1Limits = {
  maxHeadersCount: maxHeaders,
  maxHeaderSize: maxHeadBytes,
  headersTimeout: headersTimeoutMs,
  keepAliveTimeout: idleTimeoutMs,
  // Bodies have their request's deadline; this covers unread ones.
  requestTimeout: 300_000,
  connectionsCheckingInterval: 5_000,
};
