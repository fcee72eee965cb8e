// Sends all bodies to a reference server and records its responses: node test/record.ts bodies [FILE ...]
import { BodyClient } from './body-client.ts';
import { bodyCases } from './cases/all.ts';
import { startPatchingHook } from './patching-hook.ts';
import { type Recording, writeRecording } from './recording.ts';

const [url, kubeconfigPath, ...files] = process.argv.slice(2);
if (url === undefined || kubeconfigPath === undefined) throw new Error('usage: record.ts URL KUBECONFIG [FILE ...]');
using client = await BodyClient.connect({ url, kubeconfigPath });
await using hook = await startPatchingHook();
await client.prepare(hook);
for (const [file, cases] of Object.entries(bodyCases)) {
  if (files.length > 0 && !files.includes(file)) continue;
  const recording = new Map<string, Awaited<ReturnType<BodyClient['answers']>>>();
  for (const body of cases) {
    if (recording.has(body.name)) throw new Error(`two cases have the name ${body.name}`);
    recording.set(body.name, await client.answers(body));
  }
  writeRecording(file, recording satisfies Recording);
  process.stdout.write(`${file}: ${recording.size}\n`);
}
