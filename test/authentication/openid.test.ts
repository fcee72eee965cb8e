import { writeFile } from 'node:fs/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nameIn, ways } from './ask-who.ts';
import { review, serverNames, startServers } from './both-servers.ts';
import { configurationOf, type Issuers, openIdRows } from './openid-rows.ts';
import { json, startTokenIssuer } from './token-issuer.ts';

const opened = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'binnacle-openid-'));
opened.defer(() => rm(folder, { recursive: true, force: true }));
const issuers: Issuers = {
  plain: opened.use(await startTokenIssuer(folder, 'plain')),
  rules: opened.use(await startTokenIssuer(folder, 'rules')),
};
const { rules } = issuers;
rules.answers.set('/elsewhere', (_, response) => json(response, { issuer: rules.url, jwks_uri: `${rules.url}/keys` }));
const rows = openIdRows(issuers);
let urls: { readonly [name: string]: string };

beforeAll(async () => {
  const file = join(folder, 'authentication.yaml');
  await writeFile(file, JSON.stringify(configurationOf(issuers)));
  const made = opened.use(await startServers(() => Promise.resolve([`--authentication-config=${file}`])));
  ({ urls } = made);
}, 120_000);

afterAll(() => opened.disposeAsync());

describe.each(serverNames)('%s', (name) => {
  test('finds the issuers', { timeout: 60_000 }, async () => {
    const headers = [['authorization', `Bearer ${rows[0]?.token}`]] as const;
    await expect.poll(() => ways['HTTP/1.1']?.(urls[name] ?? '', { headers }), { timeout: 50_000 }).not.toBe('401');
  });

  describe.each(Object.entries(ways))('is told by %s', (way, ask) => {
    test.each(rows)('$name', async ({ token, said }) => {
      const heard = await ask(urls[name] ?? '', { headers: [['authorization', `Bearer ${token}`]] });
      expect(heard).toBe(way === 'WebSocket' ? nameIn(said) : said);
    });
  });
});

/** Without times of the moment. */
function stable(status: unknown): unknown {
  return JSON.parse(
    JSON.stringify(status).replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?[^"]*?(?= before|\)|")/g, 'TIME'),
  );
}

describe.skipIf(serverNames.length < 2)('reviews tell the same', () => {
  test.each(rows)('$name', async ({ token }) => {
    const [ours, theirs] = await Promise.all(serverNames.map((name) => review(urls[name] ?? '', token)));
    expect(stable(ours)).toEqual(stable(theirs));
  });
});
