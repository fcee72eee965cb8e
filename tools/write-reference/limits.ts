import { maxCallCost, maxMessageBytes as maxRuleMessageBytes, maxObjectCost } from '../../src/cel/rules/limits.ts';
import { maxCollections } from '../../src/codec/body-limits.ts';
import { maxNestedLevels } from '../../src/codec/cbor/well-formed.ts';
import { mostBytes } from '../../src/codec/x509/certificate-request.ts';
import { maxNestingDepth } from '../../src/codec/json-syntax.ts';
import { maxDepth as maxProtobufDepth } from '../../src/codec/protobuf/message-reader.ts';
import { maxBehind } from '../../src/http/responses/watch-stream.ts';
import { largeBytes } from '../../src/http/request/lanes.ts';
import { longestToken } from '../../src/http/virtual/token-review.ts';
import { maxManagerBytes } from '../../src/http/request/manager-name.ts';
import { maxBodyBytes } from '../../src/http/request/request-context.ts';
import { heapPerBodyByte, maxWaitMs, shareOfHeap } from '../../src/http/transport/body-budget.ts';
import { maxRefused, unfinishedPerStream } from '../../src/http/transport/http2-connection.ts';
import { defaultMaxStreams } from '../../src/http/transport/listener.ts';
import {
  droppedBody,
  headersTimeoutMs,
  http1Limits,
  idleTimeoutMs,
  stallMs,
} from '../../src/http/transport/transport-limits.ts';
import { maxApiThreads, maxLanes } from '../../src/server/threads/thread-limits.ts';

/** What is limited, how much there may be of it, and what happens beyond. */
export type LimitRow = readonly [what: string, limit: string, beyond: string];

/** Tables by heading. */
export const limits: { readonly [heading: string]: readonly LimitRow[] } = {
  'Requests and connections': [
    [
      'request headers',
      `${bytes(http1Limits.maxHeaderSize)} (1 MiB), also once decompressed (HPACK)`,
      '431; over HTTP/2 the stream is refused',
    ],
    [
      'headers of a request',
      `${count(http1Limits.maxHeadersCount)} (any number)`,
      '431; over HTTP/2 the stream is refused',
    ],
    ['time to send request headers, TLS handshake', seconds(headersTimeoutMs), '408, or the connection is closed'],
    [
      'HTTP/1.1 framing',
      'one valid Host, no transfer coding except `chunked`',
      '400, 417, 501 or 505, and the connection is closed',
    ],
    ['pipelined requests', 'one at a time, in order', 'the rest is not read yet'],
    [
      'request body',
      `${bytes(maxBodyBytes)}, and the deadline of the request`,
      `413 or 504; remaining data is discarded for ${seconds(droppedBody.ms)} or ${bytes(droppedBody.bytes)}`,
    ],
    [
      'all request bodies',
      `1/${heapPerBodyByte / shareOfHeap} of the heap, until their requests end`,
      `requests wait up to ${seconds(maxWaitMs)}, then 429 with \`Retry-After: 1\``,
    ],
    [
      'streams per HTTP/2 connection',
      `${defaultMaxStreams}, or \`--http2-max-streams-per-connection\``,
      `refused; after ${maxRefused} refusals the connection is closed`,
    ],
    [
      'cancelled requests that the server still works on',
      `${unfinishedPerStream} for each stream of the connection`,
      'the connection is closed',
    ],
    ['floods of continuations, settings, pings and empty frames', 'the limits of nghttp2', 'the connection is closed'],
    [
      'responses that the client does not read',
      `${seconds(stallMs)} without progress`,
      'the stream or connection is closed',
    ],
    [
      'events that a watch has not read',
      `${count(maxBehind.events)}, or ${bytes(maxBehind.bytes)}`,
      'the watch ends, and the client continues it',
    ],
    ['idle connection', seconds(idleTimeoutMs), 'it is closed'],
    ['tokens in a TokenReview', bytes(longestToken), 'nobody is authenticated'],
    ['certificate requests', `${bytes(mostBytes)} in DER (any size)`, '422'],
    ['metric labels', 'existing kinds, verbs and status codes', '`invalid`, `other`, or not counted'],
    ['name of a field manager', `${maxManagerBytes} bytes`, '422'],
  ],
  'Objects and bodies': [
    ['objects and lists in a body', count(maxCollections), '413'],
    ['levels of JSON and YAML', count(maxNestingDepth), '400'],
    ['levels of CBOR', count(maxNestedLevels), '400'],
    ['levels of protobuf', count(maxProtobufDepth), '400'],
    [
      'body or object that a lane serves',
      `more than ${bytes(largeBytes)}`,
      'smaller ones are served where they arrive',
    ],
  ],
  'Rules of custom resources': [
    ['cost of an evaluation', count(maxCallCost), '422'],
    ['cost of all rules of an object', count(maxObjectCost), '422'],
    ['message of a rule', bytes(maxRuleMessageBytes), 'a general message'],
  ],
  Threads: [
    ['`--api-threads`', `1 to ${maxApiThreads}`, 'the server does not start'],
    ['`--large-request-lanes`', `0 to ${maxLanes}`, 'the server does not start'],
  ],
};

function bytes(value: number): string {
  return value >= 1 << 20 ? `${value / (1 << 20)} MiB` : `${value / 1024} KiB`;
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}

function count(value: number): string {
  return value.toLocaleString('en');
}
