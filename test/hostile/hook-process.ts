import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jsonOf, startHttpsServer } from '../https-server.ts';
import { hookMisdeeds, type Review } from './hook-misdeeds.ts';

/**
 * A forked process with an IPC channel: a server of webhooks that misbehave, each at its path. It tells its address, and
 * the authority of its certificate.
 */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-hooks-'));
  const { url, authority } = await startHttpsServer({ folder }, (request, response) => {
    const misdeed = hookMisdeeds.get(decodeURIComponent((request.url ?? '/').slice(1).split('?', 1)[0] ?? ''));
    response.on('error', () => undefined);
    // Clients that leave are part of the cases.
    jsonOf<Review>(request).then(
      (review) => misdeed?.(response, review),
      () => response.destroy(),
    );
  });
  await rm(folder, { recursive: true });
  process.on('disconnect', () => process.exit(0));
  process.send?.({ url, authority });
}

await main();
