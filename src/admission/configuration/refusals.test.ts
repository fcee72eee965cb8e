import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { systemClock } from '../../api/time/clock.ts';
import { pluginTable } from '../plugin-table.ts';
import type { PluginContext } from '../plugin-context.ts';
import { readAdmissionConfiguration } from './admission-configuration.ts';

interface Refusal {
  readonly name: string;
  readonly plugin: string;
  readonly file: string;
  readonly error: string;
}

/** What kube-apiserver 1.37.1 says before it does not start. */
const refusals = JSON.parse(
  readFileSync(new URL('testdata/refusals.json', import.meta.url), 'utf8'),
) as readonly Refusal[];

async function readFile(path: string, files: ReadonlyMap<string, string>): Promise<string> {
  const text = files.get(path);
  if (text !== undefined) return await Promise.resolve(text);
  throw Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: 'ENOENT' });
}

/** Makes a plugin out of a file; nothing else is there. */
async function make(plugin: string, file: string, more: readonly (readonly [string, string])[] = []): Promise<unknown> {
  const files = new Map([['/etc/admission.yaml', file], ...more]);
  const reader = { readFile: (path: string) => readFile(path, files) };
  const configurationOf = await readAdmissionConfiguration('/etc/admission.yaml', reader);
  const context = { ...reader, clock: systemClock, onStop: () => undefined, featureGates: new Map(), configurationOf };
  // Plugins only keep the rest until they are asked.
  return await pluginTable.find(({ name }) => name === plugin)?.make?.(context as unknown as PluginContext);
}

test.each(refusals)('$name', async ({ plugin, file, error }) => {
  await expect(make(plugin, file)).rejects.toThrow(error);
});

const header = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n';

test('a file that is not there', async () => {
  const reader = { readFile: (path: string) => readFile(path, new Map()) };
  const message =
    'failed to apply admission: failed to read plugin config: unable to read admission control configuration from "/none" [open /none: no such file or directory]';
  await expect(readAdmissionConfiguration('/none', reader)).rejects.toThrow(message);
});

test('paths are relative to the file', async () => {
  const file = `${header}plugins:\n- name: EventRateLimit\n  path: limits.yaml\n`;
  const limits =
    'apiVersion: eventratelimit.admission.k8s.io/v1alpha1\nkind: Configuration\nlimits: [{type: Server, qps: 1, burst: 1}]\n';
  expect(await make('EventRateLimit', file, [['/etc/limits.yaml', limits]])).toMatchObject({ name: 'EventRateLimit' });
  await expect(make('EventRateLimit', file)).rejects.toThrow('open /etc/limits.yaml: no such file or directory');
});

test('a file of before there were kinds is the one of the plugin itself', async () => {
  const file = 'podNodeSelectorPluginConfig: {clusterDefaultNodeSelector: a=b}\n';
  expect(await make('PodNodeSelector', file)).toMatchObject({ name: 'PodNodeSelector' });
});
