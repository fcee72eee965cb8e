import type { IncomingMessage, ServerResponse } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jsonOf, startHttpsServer } from '../https-server.ts';
import { conversionMisdeeds, type HookMisdeed, hookMisdeeds, type Review, reviewMisdeeds } from './hook-misdeeds.ts';
import { serveIssuer } from './issuer-misdeeds.ts';

/** By the first part of the path. */
const tables: { readonly [kind: string]: ReadonlyMap<string, HookMisdeed> } = {
  hook: hookMisdeeds,
  review: reviewMisdeeds,
  convert: conversionMisdeeds,
};

/**
 * A forked process with an IPC channel: a server of webhooks and issuers that misbehave, each at its path. It tells its
 * address, and the authority of its certificate. Messages name the misdeed at the path `/KIND/current`.
 */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-hooks-'));
  let current = '';
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, kind = '', name = ''] = (request.url ?? '').split('?', 1)[0]?.split('/') ?? [];
    if (kind === 'issuer') return serveIssuer(url, request, response);
    const misdeed = tables[kind]?.get(name === 'current' ? current : decodeURIComponent(name));
    // What follows a redirection has no body.
    const review = request.method === 'POST' ? await jsonOf<Review>(request) : { apiVersion: '', kind: '' };
    misdeed?.(response, review);
  };
  const { url, authority } = await startHttpsServer({ folder }, (request, response) => {
    response.on('error', () => undefined);
    // Clients that leave are part of the cases.
    answer(request, response).catch(() => response.destroy());
  });
  await rm(folder, { recursive: true });
  process.on('message', (misdeed: string) => {
    current = misdeed;
    process.send?.('chosen');
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.({ url, authority });
}

await main();
