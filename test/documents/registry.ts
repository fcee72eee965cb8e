import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import packageJson from '../../package.json' with { type: 'json' };

/** An npm registry that has Binnacle as the sources make it, and sends clients to the usual one for anything else. */
export interface Registry extends AsyncDisposable {
  readonly url: string;
}

export async function startRegistry(tarball: string): Promise<Registry> {
  const bytes = readFileSync(tarball);
  const usual = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const server = createServer(({ url: path = '' }, response) => {
    // npm's cache is that of the user, who is to get Binnacle from where it really is.
    response.setHeader('cache-control', 'no-store');
    if (path === '/binnacle') response.end(packument(`${url}/binnacle.tgz`, bytes));
    else if (path === '/binnacle.tgz') response.end(bytes);
    else response.writeHead(302, { location: new URL(path.slice(1), usual).href }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has one
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function packument(tarball: string, bytes: Buffer): string {
  const { name, version } = packageJson;
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  const { workspaces: _, devDependencies: __, ...published } = packageJson;
  return JSON.stringify({
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...published, dist: { tarball, integrity } } },
  });
}
