import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerProcess } from '../durability/server-process.ts';
import { freePort } from '../free-port.ts';
import { adminTls } from '../server-fixture.ts';
import type { Target } from './raw-client.ts';

/** A server in its own process: what blocks it must not block the test. */
export interface ServerTarget extends AsyncDisposable {
  readonly admin: Target;
  /** Without credentials. */
  readonly nobody: Target;
  residentMegabytes(): Promise<number>;
}

/** So that nobody in particular can send many requests over one connection. */
export const anonymousConnectionsStay = '--feature-gates=UnauthenticatedHTTP2DOSMitigation=false';

export async function startServerTarget(flags: readonly string[] = []): Promise<ServerTarget> {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-hostile-'));
  const port = await freePort();
  const server = await ServerProcess.start(folder, port, [anonymousConnectionsStay, ...flags]);
  const tls = await adminTls(join(folder, 'admin.kubeconfig'));
  const url = `https://127.0.0.1:${port}`;
  return {
    admin: { url, tls },
    nobody: { url, tls: { ca: tls.ca } },
    async residentMegabytes() {
      const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
    async [Symbol.asyncDispose]() {
      await server.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
