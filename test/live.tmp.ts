import { startTestServer } from '/work/wt/apply/test/server-fixture.ts';
import { Player } from '/work/wt/apply/test/differential/player.ts';
import { isDeepStrictEqual, inspect } from 'node:util';
const { scenarios } = await import(process.argv[3] ?? '/work/wt/apply/test/differential/scenarios/all.ts');
const only = process.argv[4];
const ref = { url: 'https://127.0.0.1:22791', kubeconfigPath: '/tmp/apply-ref3/flat' };
const server = await startTestServer();
const a = await Player.connect(ref), b = await Player.connect(server);
let bad = 0, all = 0;
const pause = () => new Promise<void>((r) => setTimeout(r, Number(process.argv[2] ?? 60)));
for (const s of scenarios) {
  if (only && s.name !== only) continue;
  const [x, y] = await Promise.all([a.play(s, pause), b.play(s, pause)]);
  for (const [k, v] of x) { all++; if (!isDeepStrictEqual(v, y.get(k))) { bad++; diff(`${s.name}: ${k}`, v, y.get(k)); } }
}
function diff(at: string, x: any, y: any): void {
  if (isDeepStrictEqual(x, y)) return;
  if (x && y && typeof x === 'object' && typeof y === 'object' && Array.isArray(x) === Array.isArray(y)) {
    for (const k of new Set([...Object.keys(x), ...Object.keys(y)])) diff(at + ' > ' + k, x[k], y[k]);
    return;
  }
  console.log(at, '\n   ref ', JSON.stringify(x)?.slice(0, 600), '\n   ours', JSON.stringify(y)?.slice(0, 600));
}
console.log(bad, 'of', all);
a[Symbol.dispose](); b[Symbol.dispose](); await server[Symbol.asyncDispose](); process.exit(0);
