import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ways } from './ask-who.ts';
import { root, serverNames, type Servers, startServers } from './both-servers.ts';
import { makeAuthority, makeClient, type Shown } from './certificates.ts';

const opened = new AsyncDisposableStack();
let servers: Servers;
let proxy: Shown;

beforeAll(async () => {
  const authority = makeAuthority('proxies');
  proxy = makeClient(authority, { subject: [['cn', 'front']] });
  servers = await startServers(async (folder) => {
    const file = join(folder, 'proxies.crt');
    await writeFile(file, authority.pem);
    return [
      `--requestheader-client-ca-file=${file}`,
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-uid-headers=X-Remote-Uid',
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    ];
  });
  opened.use(servers);
}, 120_000);

afterAll(() => opened.disposeAsync());

const asRoot = ['authorization', `Bearer ${root}`] as const;
const myself = 'root uid=u4 groups=system:masters';

/** A header that says who somebody is, what goes with it, and what the server makes of its value. */
interface Row {
  readonly header: string;
  readonly with: readonly (readonly [name: string, value: string])[];
  readonly byProxy?: true;
  readonly said: (value: string) => string;
}

const bob = ['impersonate-user', 'bob'] as const;
const remoteBob = ['x-remote-user', 'bob'] as const;

const rows: readonly Row[] = [
  { header: 'impersonate-user', with: [asRoot], said: (value) => (value === '' ? myself : value) },
  { header: 'impersonate-group', with: [asRoot, bob], said: (value) => `bob groups=${value}` },
  { header: 'impersonate-uid', with: [asRoot, bob], said: (value) => (value === '' ? 'bob' : `bob uid=${value}`) },
  { header: 'impersonate-extra-x', with: [asRoot, bob], said: (value) => `bob x=${value}` },
  { header: 'x-remote-user', with: [], byProxy: true, said: (value) => (value === '' ? '401' : value) },
  {
    header: 'x-remote-group',
    with: [remoteBob],
    byProxy: true,
    said: (value) => (value === '' ? 'bob' : `bob groups=${value}`),
  },
  {
    header: 'x-remote-uid',
    with: [remoteBob],
    byProxy: true,
    said: (value) => (value === '' ? 'bob' : `bob uid=${value}`),
  },
  { header: 'x-remote-extra-x', with: [remoteBob], byProxy: true, said: (value) => `bob x=${value}` },
];

const values = [' alice', 'alice ', '\talice', 'alice\t', ' \t alice\t ', 'a lice', 'a\tlice', ' ', '\t', ''];

/** What a message of HTTP/1.1 can tell: blanks around a value are none of it (RFC 9112 section 5.1). */
function inHttp1(value: string): string {
  return value.replaceAll(/^[ \t]+|[ \t]+$/g, '');
}

describe.each(serverNames)('%s', (name) => {
  test.each(rows)('$header keeps its blanks over HTTP/2, and loses those around it over HTTP/1.1', async (row) => {
    for (const value of values) {
      const showing = { headers: [...row.with, [row.header, value]] as const, tls: row.byProxy ? proxy : undefined };
      const url = servers.urls[name] ?? '';
      const said = {
        'HTTP/2': await ways['HTTP/2']?.(url, showing),
        'HTTP/1.1': await ways['HTTP/1.1']?.(url, showing),
      };
      expect({ value, ...said }).toEqual({ value, 'HTTP/2': row.said(value), 'HTTP/1.1': row.said(inHttp1(value)) });
    }
  });

  test.each(['Bearer tok-root ', ' Bearer tok-root', 'Bearer tok-root\t', '\tBearer tok-root \t', 'Bearer tok-root x'])(
    'a token is found in %j',
    async (value) => {
      for (const way of ['HTTP/2', 'HTTP/1.1']) {
        expect(await ways[way]?.(servers.urls[name] ?? '', { headers: [['authorization', value]] })).toBe(myself);
      }
    },
  );
});
