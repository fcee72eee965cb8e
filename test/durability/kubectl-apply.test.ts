import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { freePort } from '../free-port.ts';
import { Kubectl, skipWithoutKubectl } from '../kubectl/kubectl.ts';
import { ServerProcess } from './server-process.ts';

const loops = 3;
const objectsPerApply = 8;
/** After every loop has started. */
const killAfterMs = [100, 700, 0, 300];

const scratchDir = await mkdtemp(join(tmpdir(), 'binnacle-apply-'));
afterAll(() => rm(scratchDir, { recursive: true, force: true }));

const dataDir = join(scratchDir, 'data');
const kubectl = new Kubectl('default');
kubectl.server = { kubeconfigPath: join(dataDir, 'admin.kubeconfig'), scratchDir };

/** A list of ConfigMaps, each marked with its apply. */
function manifestOf(loop: number, apply: string): string {
  const items = Array.from({ length: objectsPerApply }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    // Every second one is new, the others exist since the first apply.
    metadata: { name: index % 2 === 0 ? `kept-${loop}-${index}` : `new-${loop}-${index}-${apply}` },
    data: { apply },
  }));
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

/** Applies until the server is gone. Returns the names that kubectl reported as written, with the last such apply. */
async function applyUntilKilled(loop: number, round: number, onApplied: () => void): Promise<Map<string, number>> {
  const acknowledged = new Map<string, number>();
  for (let count = 0; ; count += 1) {
    const apply = round * 1000 + count;
    const { code, stdout } = await kubectl.with({ input: manifestOf(loop, String(apply)) }).result`apply -f -`;
    for (const [, name = ''] of stdout.matchAll(/^configmap\/(\S+) (?:created|configured)$/gm)) {
      acknowledged.set(name, apply);
    }
    if (code !== 0) return acknowledged;
    onApplied();
  }
}

async function storedApplies(): Promise<Map<string, number>> {
  const read =
    await kubectl.run`get configmaps -o ${'jsonpath={range .items[*]}{.metadata.name} {.data.apply}{"\\n"}{end}'}`;
  const lines = read
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '));
  return new Map(lines.map(([name = '', apply = '']) => [name, Number(apply)]));
}

describe.skipIf(skipWithoutKubectl())('kubectl', () => {
  test('kill -9 during apply loops loses nothing acknowledged to kubectl', async () => {
    const port = await freePort();
    const acknowledged = new Map<string, number>();
    for (const [round, afterMs] of killAfterMs.entries()) {
      const server = await ServerProcess.start(dataDir, port);
      if (round > 0) expectKept(acknowledged, await storedApplies());
      let applied = 0;
      const running = Array.from({ length: loops }, (_, loop) => applyUntilKilled(loop, round, () => (applied += 1)));
      while (applied < loops) await sleep(10);
      await sleep(afterMs);
      await server.kill();
      for (const written of await Promise.all(running))
        for (const [name, apply] of written) acknowledged.set(name, apply);
    }
    expect(acknowledged.size).toBeGreaterThan(loops * objectsPerApply);
    const server = await ServerProcess.start(dataDir, port);
    expectKept(acknowledged, await storedApplies());
    await server.kill();
  });
});

/** A later apply may have been written without being acknowledged. */
function expectKept(acknowledged: ReadonlyMap<string, number>, stored: ReadonlyMap<string, number>): void {
  const lost = [...acknowledged].filter(([name, apply]) => (stored.get(name) ?? -1) < apply);
  expect(lost).toEqual([]);
}
