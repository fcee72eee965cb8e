import { describe, expect, it } from 'vitest';
import { GoUrlError, parseGoRequestUrl, parseGoUrl } from './go-url.ts';

describe('URLs', () => {
  it('are parsed', () => {
    expect(parseGoUrl('HTTPS://user:x@example.com:8443/a%20b?c=d#e%20f')).toEqual({
      scheme: 'https',
      user: 'user:x',
      host: 'example.com:8443',
      hasAuthority: true,
      path: '/a%20b',
      hasEmptyQuery: false,
      query: 'c=d',
      fragment: 'e f',
    });
  });

  it('may have neither host nor scheme', () => {
    expect(parseGoUrl('/a/b')).toMatchObject({ scheme: '', host: '' });
    expect(parseGoUrl('mailto:a@b')).toMatchObject({ scheme: 'mailto', host: '', user: undefined });
  });

  it.each([
    [':a', 'parse ":a": missing protocol scheme'],
    ['1:b/c', 'parse "1:b/c": first path segment in URL cannot contain colon'],
    ['https://[::1', `parse "https://[::1": missing ']' in host`],
    ['https://a:x', 'parse "https://a:x": invalid port ":x" after host'],
    ['https://a b/', 'parse "https://a b/": invalid character " " in host name'],
    ['https://a/%zz', 'parse "https://a/%zz": invalid URL escape "%zz"'],
    ['https://a/#%z', 'parse "https://a/#%z": invalid URL escape "%z"'],
  ])('%s is invalid', (url, message) => {
    expect(() => parseGoUrl(url)).toThrow(GoUrlError);
    expect(() => parseGoUrl(url)).toThrow(message);
  });

  it('of requests have a host or a path from the root', () => {
    expect(parseGoRequestUrl('https://a/b?c')).toMatchObject({ host: 'a', path: '/b', query: 'c' });
    expect(parseGoRequestUrl('/a#b')).toMatchObject({ path: '/a#b', fragment: '' });
    expect(() => parseGoRequestUrl('')).toThrow('parse "": empty url');
    expect(() => parseGoRequestUrl('a/b')).toThrow('parse "a/b": invalid URI for request');
  });
});
