import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuTimeRatio } from '../../../test/cpu-time.ts';
import { LinkRewriter } from './link-rewriter.ts';
import { rewrittenLink } from './links.ts';

const front = { scheme: '', host: '', prefix: '/prefix' };
const hosts = { own: '10.0.0.1:80', requested: 'localhost:8001' };

function rewritten(chunks: readonly string[]): string {
  const rewriter = new LinkRewriter((link) => (link.startsWith('/') ? `/p${link}` : link));
  return [...chunks.map((chunk) => rewriter.write(chunk)), rewriter.end()].join('');
}

test.each([
  ['<a href="/x">go</a>', '<a href="/p/x">go</a>'],
  ["<A\n HREF = '/x' class=y>", "<A\n HREF = '/p/x' class=y>"],
  ['<a href=/x>', '<a href=/p/x>'],
  ['<img src="/x" alt="/y" usemap="/z"/>', '<img src="/p/x" alt="/y" usemap="/p/z"/>'],
  ['<a href="/x?a=1&amp;b=2">', '<a href="/p/x?a=1&amp;b=2">'],
  ['<a title="a > b" href="/x">', '<a title="a > b" href="/p/x">'],
  ['<!-- <a href="/x"> --><a href="/y">', '<!-- <a href="/x"> --><a href="/p/y">'],
  [
    '<script src="/s">"<a href=\'/x\'>"</script><a href="/y">',
    '<script src="/p/s">"<a href=\'/x\'>"</script><a href="/p/y">',
  ],
  ['<!DOCTYPE html><p>1 < 2 <3', '<!DOCTYPE html><p>1 < 2 <3'],
  ['<a href="relative">', '<a href="relative">'],
  ['<a href="/x', '<a href="/x'],
  ['<data href="/x">', '<data href="/x">'],
  ['<a =href="/x" href="/y">', '<a =href="/x" href="/p/y">'],
])('%s', (page, expected) => {
  expect(rewritten([page])).toBe(expected);
  // However it is split.
  expect(rewritten([...page])).toBe(expected);
});

test('a page without links stays as it is, in whatever pieces it comes', () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '<!--',
    '-->',
    '</',
    'a',
    ' href=',
    '"',
    "'",
    'x',
    '=',
    '<script>',
    '</script',
    '\n',
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      expect(rewritten(pieces)).toBe(pieces.join(''));
    }),
  );
});

test('an endless tag is not kept', () => {
  const rewriter = new LinkRewriter((link) => link);
  const page = `<a ${'x'.repeat(20_000)}`;
  expect(rewriter.write(page)).toBe(page);
});

test.each([
  ['/a/b', '/prefix/a/b'],
  ['/a/?q=1#f', '/prefix/a/?q=1#f'],
  ['http://10.0.0.1:80/a', '/prefix/a'],
  ['http://localhost:8001/a', 'http://localhost:8001/prefix/a'],
  ['http://elsewhere/a', 'http://elsewhere/a'],
  ['/prefix/a', '/prefix/a'],
  ['a/b', 'a/b'],
  ['mailto:x@y', 'mailto:x@y'],
  ['#top', '#top'],
])('the link %s', (link, expected) => {
  expect(rewrittenLink(link, front, hosts)).toBe(expected);
});

test('links name the scheme and the host by which clients know the server', () => {
  expect(rewrittenLink('/a', { scheme: 'https', host: 'front', prefix: '' }, hosts)).toBe('https://front/a');
});

test.each([
  ['beginnings of tags', '<a'],
  ['tags in tags', '<a <'],
  ['open quotes', '<a href="/a '],
])('a page of nothing but %s stays as it is, and is read once', (_what, part) => {
  const text = part.repeat(60_000 / part.length);
  const rewriter = new LinkRewriter((link) => `/p${link}`);
  let heard = '';
  expect(cpuTimeRatio(() => (heard = rewriter.write(text) + rewriter.end()), 200)).toBeLessThan(1);
  expect(heard).toBe(text);
});
