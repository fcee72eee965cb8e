// Plays the scripts against kube-apiserver with kube-controller-manager and keeps what there is in the end:
// node test/record.ts controllers [SCRIPT ...]
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from '../../../src/api/json/json.ts';
import { ApiClient } from '../../api-client.ts';
import { EtcdProcess } from '../../etcd-process.ts';
import { startReference } from '../../reference-server.ts';
import { startControllerManager } from '../../controllers/controller-manager.ts';
import { allScripts, readOutcomes, writeOutcomes } from './all-scripts.ts';
import { playSteps, readOutcome, type Script } from '../../controllers/script.ts';

/** So long nothing may change before it counts. */
const settledMs = 4000;

await using etcd = await EtcdProcess.start();
await using server = await startReference(etcd.url, []);
await using _manager = startControllerManager(server);
using client = await ApiClient.connect(server);
await sleep(3000);
const names = process.argv.slice(2);
const known = names.length === 0 ? new Map<string, JsonValue>() : readOutcomes();
const outcomes = new Map<string, JsonValue>();
for (const script of allScripts) {
  if (names.length > 0 && !names.includes(script.name)) {
    outcomes.set(script.name, known.get(script.name) ?? null);
    continue;
  }
  await playSteps(client, script);
  outcomes.set(script.name, await settled(client, script));
  process.stdout.write(`${script.name}\n`);
}
writeOutcomes(outcomes);

async function settled(api: ApiClient, script: Script): Promise<JsonObject> {
  let last = await readOutcome(api, script);
  for (let since = Date.now(); Date.now() - since < (script.restMs ?? settledMs); await sleep(100)) {
    const next = await readOutcome(api, script);
    if (isDeepStrictEqual(next, last)) continue;
    last = next;
    since = Date.now();
  }
  return last;
}
