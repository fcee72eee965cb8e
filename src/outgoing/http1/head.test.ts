import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodyReader } from './body.ts';
import { bodyLengthOf, HeadCollector, keepsConnection, readHead, requestHead } from './head.ts';
import { maxHeadBytes } from '../upstream-request.ts';

const splits = fc.array(fc.nat(200), { maxLength: 20 });

/** The text in pieces that end at these places. */
function pieces(text: string, ends: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text, 'latin1');
  const places = [0, ...ends.filter((end) => end < bytes.length).toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

test.each([
  ['HTTP/1.1 200 OK\r\nA: 1\r\nb:  2 \r\n\r\n', 200, ['A', '1', 'b', '2']],
  ['HTTP/1.0 404\n\n', 404, []],
  ['HTTP/1.1 200 \r\nFolded: a\r\n  b\r\nEmpty:\r\nodd name: dropped\r\n\r\n', 200, ['Folded', 'a b', 'Empty', '']],
])('a head in any pieces: %j', (text, status, rawHeaders) => {
  fc.assert(
    fc.property(splits, (ends) => {
      const collector = new HeadCollector();
      let rest: Buffer | undefined;
      const after: Buffer[] = [];
      for (const piece of pieces(`${text}rest`, ends)) {
        if (rest !== undefined) after.push(piece);
        else rest = collector.add(piece);
      }
      expect(Buffer.concat([rest ?? Buffer.from('none'), ...after]).toString()).toBe('rest');
      expect(readHead(collector.take())).toMatchObject({ status, rawHeaders });
    }),
  );
});

test.each([
  ['nothing\r\n\r\n', 'malformed HTTP response "nothing"'],
  ['HTTP/1.1 20 OK\r\n\r\n', 'malformed HTTP status code "20"'],
  ['HTTQ/1.1 200 OK\r\n\r\n', 'malformed HTTP version "HTTQ/1.1"'],
  ['HTTP/1.1 200 OK\r\nnone\r\n\r\n', 'malformed MIME header: missing colon: "none"'],
  ['HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n', 'malformed MIME header line: A: b\rc'],
  ['HTTP/1.1 200 OK\r\n(: b\r\n\r\n', 'malformed MIME header line: (: b'],
  ['HTTP/1.1 200 OK\r\n b\r\n\r\n', 'malformed MIME header initial line: " b"'],
])('a head that is refused: %j', (text, why) => {
  expect(() => readHead(text)).toThrow(`net/http: HTTP/1.x transport connection broken: ${why}`);
});

test('a head without an end is refused', () => {
  const collector = new HeadCollector();
  const line = Buffer.from('X-A: a\r\n'.repeat(8_192));
  let bytes = 0;
  expect(() => {
    for (; bytes <= 2 * maxHeadBytes; bytes += line.length) collector.add(line);
  }).toThrow('server response headers exceeded');
  expect(bytes).toBeLessThanOrEqual(maxHeadBytes);
});

test.each([
  [['Content-Length', '5'], 5],
  [['Content-Length', '5', 'content-length', '5'], 5],
  [['Content-Length', '5', 'Transfer-Encoding', 'Chunked'], 'chunked'],
  [[], 'connection'],
])('the length of a body with %j', (rawHeaders, length) => {
  expect(bodyLengthOf({ minor: 1, status: 200, reason: '', rawHeaders }, 'GET')).toBe(length);
  expect(bodyLengthOf({ minor: 1, status: 200, reason: '', rawHeaders }, 'HEAD')).toBe(0);
  expect(bodyLengthOf({ minor: 1, status: 304, reason: '', rawHeaders }, 'GET')).toBe(0);
});

test.each([
  [['Content-Length', '5', 'content-length', '6'], 'multiple Content-Length headers; got ["5" "6"]'],
  [['Content-Length', '-1'], 'bad Content-Length "-1"'],
  [['Transfer-Encoding', 'gzip'], 'unsupported transfer encoding: "gzip"'],
  [['Transfer-Encoding', 'chunked', 'Transfer-Encoding', 'chunked'], 'too many transfer encodings'],
])('the length of a body is refused with %j', (rawHeaders, why) => {
  expect(() => bodyLengthOf({ minor: 1, status: 200, reason: '', rawHeaders }, 'GET')).toThrow(why);
});

test.each([
  [1, [], true],
  [0, [], false],
  [0, ['Connection', 'Keep-Alive'], true],
  [1, ['Connection', 'x, close'], false],
])('HTTP/1.%i with %j keeps the connection: %s', (minor, rawHeaders, kept) => {
  expect(keepsConnection({ minor, status: 200, reason: '', rawHeaders })).toBe(kept);
});

test('a body in chunks, in any pieces', () => {
  const text = '3;a=b\r\nabc\r\n1 \r\nd\r\n0\r\nX-Sum: 4\r\n\r\nmore';
  fc.assert(
    fc.property(splits, (ends) => {
      const reader = bodyReader('chunked');
      const data = pieces(text, ends).map((piece) => (reader.isComplete ? Buffer.alloc(0) : reader.read(piece)));
      expect(Buffer.concat(data).toString()).toBe('abcd');
      expect(reader).toMatchObject({ isComplete: true, trailers: ['X-Sum', '4'] });
    }),
  );
});

test.each([
  ['x\r\n', 'invalid byte in chunk length'],
  ['\r\n', 'empty hex number for chunk length'],
  ['1\r\nab\r\n', 'malformed chunked encoding'],
  [`1;${'x'.repeat(5_000)}`, 'header line too long'],
  [`1;${'x'.repeat(1_000)}\r\na\r\n`.repeat(20), 'chunked encoding contains too much non-data'],
  [`0\r\n${'X-A: a\r\n'.repeat(200_000)}`, 'server response headers exceeded'],
])('a body in chunks that is refused: %#', (text, why) => {
  expect(() => bodyReader('chunked').read(Buffer.from(text))).toThrow(why);
});

test('a body of known length', () => {
  const reader = bodyReader(3);
  expect(reader.read(Buffer.from('ab')).toString()).toBe('ab');
  expect(reader).toMatchObject({ isComplete: false, isExceeded: false });
  expect(reader.read(Buffer.from('cde')).toString()).toBe('c');
  expect(reader).toMatchObject({ isComplete: true, isExceeded: true });
});

const place = { host: 'a', port: 1, secure: false, authority: 'a:1', body: 'none' } as const;

test('what would end a line of a request is not sent', () => {
  const call = { ...place, method: 'GET', target: '/a?b', headers: ['A', '1'] };
  expect(requestHead(call)).toBe('GET /a?b HTTP/1.1\r\nHost: a:1\r\nA: 1\r\n\r\n');
  expect(() => requestHead({ ...call, headers: ['A', '1\r\nB: 2'] })).toThrow('invalid header field value for "A"');
  expect(() => requestHead({ ...call, headers: ['A\n', '1'] })).toThrow('invalid header field name');
  expect(() => requestHead({ ...call, target: '/a b' })).toThrow('invalid request target');
  expect(() => requestHead({ ...call, method: 'G T' })).toThrow('invalid method');
});
