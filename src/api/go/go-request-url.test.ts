import { expect, test } from 'vitest';
import { goPath, goQuery } from './go-request-url.ts';

// As url.URL.EscapedPath and url.Values.Encode write them.
test.each([
  ['/apis/a/v1/b', '/apis/a/v1/b'],
  ['/a%20b/c%2Fd', '/a%20b/c/d'],
  ['/%3Fq%23f', '/%3Fq%23f'],
  ["/(a)*!'", '/%28a%29%2A%21%27'],
  ['/%C3%A4', '/%C3%A4'],
  ['/%zz', '/%zz'],
])('the path %s', (path, written) => expect(goPath(path)).toBe(written));

test.each([
  ['', ''],
  ['watch=1', 'watch=1'],
  ['watch', 'watch='],
  ['limit=1&fieldSelector=a%3Db', 'fieldSelector=a%3Db&limit=1'],
  ['b=2&a=1&b=1', 'a=1&b=2&b=1'],
  ['a=b+c%20d~*', 'a=b+c+d~%2A'],
])('the query %s', (query, written) => expect(goQuery(query)).toBe(written));
