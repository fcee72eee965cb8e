import { deflateSync, gzipSync } from 'node:zlib';
import type { JsonObject } from '../../../src/api/json/json.ts';
import { type CaseHook, validating, type WebhookCase, stringValue } from '../case-parts.ts';
import type { HookResponse, Review } from '../hook-server.ts';

/** The JSON of an answer that allows the write. */
const allowing = ({ kind, apiVersion, request: { uid } }: Review): string =>
  JSON.stringify({ kind, apiVersion, response: { uid, allowed: true } });
const withHeaders = (headers: { readonly [name: string]: string }, encode: (text: string) => unknown = String) => {
  return (review: Review): HookResponse => ({ body: encode(allowing(review)), headers });
};
const typed = (type: string, encode?: (text: string) => unknown) => withHeaders({ 'content-type': type }, encode);
const bytesOf = (encode: (text: Uint8Array) => Uint8Array) => (text: string) => encode(Buffer.from(text));

/** The content of answers: types and encodings. */
const contents: readonly WebhookCase[] = [
  ...[
    'application/json; charset=utf-8',
    'application/json; charset=utf-16',
    'Application/JSON',
    'text/html',
    'application/octet-stream',
    'application/vnd.kubernetes.protobuf',
    'application/cbor',
    'application/json;stream=watch',
    'garbage',
  ].map((type) => validating(`the content type ${type}`, typed(type))),
  validating('YAML', typed('application/yaml', yamlOf)),
  validating('YAML that says JSON', typed('application/json', yamlOf)),
  validating('gzip', withHeaders({ 'content-encoding': 'gzip' }, bytesOf(gzipSync))),
  validating('deflate', withHeaders({ 'content-encoding': 'deflate' }, bytesOf(deflateSync))),
  validating('gzip that is none', withHeaders({ 'content-encoding': 'gzip' })),
  validating(
    'gzip that is cut',
    withHeaders({ 'content-encoding': 'gzip' }, (text) => gzipSync(text).subarray(0, 20)),
  ),
  validating(
    'a mark of the byte order',
    typed('application/json', (text) => `\uFEFF${text}`),
  ),
  validating(
    'white space around',
    typed('application/json', (text) => `\n\t ${text} \r\n`),
  ),
  validating(
    'a second document',
    typed('application/json', (text) => `${text}${text}`),
  ),
  validating(
    'garbage behind',
    typed('application/json', (text) => `${text}]`),
  ),
  validating(
    'UTF-16',
    typed('application/json', (text) => Buffer.from(text, 'utf16le')),
  ),
  validating(
    'keys in upper case',
    typed('application/json', (text) => text.replace('response', 'RESPONSE')),
  ),
  validating(
    'the same key twice',
    typed('application/json', (text) => text.replace('"allowed":true', '"allowed":true,"allowed":false')),
  ),
  validating(
    'bytes that are no UTF-8',
    typed('application/json', (text) =>
      Buffer.from(text.replace('"allowed":true', '"allowed":false,"status":{"message":"\u00FF\u00FE"}'), 'latin1'),
    ),
  ),
  validating(
    'an escaped half of a character',
    typed('application/json', (text) =>
      text.replace('"allowed":true', String.raw`"allowed":false,"status":{"message":"a\ud800b"}`),
    ),
  ),
  validating(
    'deeply nested',
    typed('application/json', (text) =>
      text.replace('"allowed":true', `"allowed":true,"x":${'['.repeat(10_001)}${']'.repeat(10_001)}`),
    ),
  ),
  validating(
    'a large number',
    typed('application/json', (text) => text.replace('"allowed":true', '"allowed":true,"x":1e999')),
  ),
  validating(
    'a code beyond 32 bits',
    typed('application/json', (text) => text.replace('"allowed":true', '"allowed":false,"status":{"code":4294967697}')),
  ),
  validating('a message of a megabyte', {
    response: { allowed: false, status: { message: `m${'x'.repeat(1_048_576)}` } },
  }),
  validating('an unknown field of four megabytes', { response: { allowed: true, unknown: 'x'.repeat(4_194_304) } }),
];

function yamlOf(text: string): string {
  const { kind, apiVersion, response } = JSON.parse(text) as JsonObject & { readonly response: JsonObject };
  const { uid } = response as { readonly uid: string };
  return `kind: ${stringValue(kind)}\napiVersion: ${stringValue(apiVersion)}\nresponse:\n  uid: ${uid}\n  allowed: true\n`;
}

/** Bytes made of the JSON of an answer. */
const raw =
  (...parts: ((text: string) => string)[]) =>
  (review: Review): HookResponse => ({ raw: parts.map((part) => part(allowing(review))) });
// The connection ends with the answer, so nobody may use it again.
const head = (status: string, ...headers: string[]): string =>
  `HTTP/1.1 ${[status, 'Content-Type: application/json', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`;
const sized = (text: string): string => `Content-Length: ${Buffer.byteLength(text)}`;
const whole =
  (...headers: string[]) =>
  (text: string) =>
    head('200 OK', sized(text), ...headers) + text;
const hex = (size: number): string => size.toString(16);
const chunked = (text: string): string =>
  `${head('200 OK', 'Transfer-Encoding: chunked')}${hex(text.length)}\r\n${text}\r\n0\r\n`;

/** HTTP that is right, and odd. */
const accepted: readonly (readonly [string, CaseHook['answer']])[] = [
  ['an answer in time, late', { response: { allowed: true }, delayMs: 700 }],
  ['HTTP/1.0 without a length', raw((text) => `HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n${text}`)],
  ['no length, until the end of the connection', raw((text) => head('200 OK') + text)],
  ['a status without words', raw((text) => head('200', sized(text)) + text)],
  ['a status without words, with a space', raw((text) => head('200 ', sized(text)) + text)],
  ['chunks', raw((text) => `${chunked(text)}\r\n`)],
  ['chunks with a trailer', raw((text) => `${chunked(text)}X-Digest: abc\r\n\r\n`)],
  [
    'chunks with an extension',
    raw(
      (text) => `${head('200 OK', 'Transfer-Encoding: chunked')}${hex(text.length)};name=value\r\n${text}\r\n0\r\n\r\n`,
    ),
  ],
  [
    'a chunk for each byte',
    raw(
      (text) =>
        `${head('200 OK', 'Transfer-Encoding: chunked')}${[...text].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`,
    ),
  ],
  [
    'in pieces',
    raw(
      (text) => head('200 OK', sized(text)),
      (text) => text.slice(0, 10),
      (text) => text.slice(10),
    ),
  ],
  [
    'a head in pieces',
    raw(
      () => 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-',
      (text) => `Length: ${text.length}\r\n\r\n${text}`,
    ),
  ],
  ['early hints', raw((text) => `HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${whole()(text)}`)],
  ['continue', raw((text) => `HTTP/1.1 100 Continue\r\n\r\n${whole()(text)}`)],
  ['a header of 30 kB', raw(whole(`X-Large: ${'x'.repeat(30_000)}`))],
  ['a thousand headers', raw(whole(...Array.from({ length: 1_000 }, (_, index) => `X-${index}: ${index}`)))],
  ['a header of bytes above 127', raw(whole('X-Odd: \u00E9\u00FF'))],
  ['a header without a value', raw(whole('X-Empty:'))],
  ['more than its length', raw((text) => `${whole()(text)}more`)],
];

/** HTTP that is wrong. */
const broken: readonly (readonly [string, CaseHook['answer']])[] = [
  ['no HTTP', raw(() => 'hello\r\n\r\n')],
  ['nothing but the end', raw(() => '')],
  ['a code that is none', raw((text) => whole()(text).replace('200 OK', 'abc OK'))],
  ['a code of four digits', raw((text) => whole()(text).replace('200 OK', '2000 OK'))],
  ['a code of two digits', raw((text) => whole()(text).replace('200 OK', '20 OK'))],
  ['a header without a colon', raw(whole('nothing'))],
  ['a length that is none', raw((text) => head('200 OK', 'Content-Length: abc') + text)],
  ['a negative length', raw((text) => head('200 OK', 'Content-Length: -1') + text)],
  ['two lengths', raw((text) => head('200 OK', sized(text), 'Content-Length: 5') + text)],
  ['less than its length', raw((text) => head('200 OK', 'Content-Length: 1000') + text)],
  ['a chunk without an end', raw((text) => chunked(text).slice(0, -10))],
  [
    'a size of a chunk that is none',
    raw((text) => chunked(text).replace(`\r\n\r\n${hex(text.length)}`, '\r\n\r\nxyz')),
  ],
  ['a chunk that is longer', raw((text) => chunked(text).replace(`\r\n\r\n${hex(text.length)}`, '\r\n\r\n5'))],
  ['switching protocols', raw(() => 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')],
  ['a request', raw(() => 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
  ['a preface of HTTP/2', raw(() => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
];

export const wireCases: readonly WebhookCase[] = [
  ...contents,
  ...accepted.map(([name, answer]) => validating(`HTTP: ${name}`, answer, { timeoutSeconds: 5 })),
  ...broken.map(([name, answer]) => validating(`HTTP that is broken: ${name}`, answer, { timeoutSeconds: 2 })),
];
