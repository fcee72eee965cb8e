// node tools/measure-growth/main.ts [COUNT [KIND [PLACE]]]: grows every list and map of every built-in kind to COUNT and to twice as many
// items, and tells what takes more than twice as long then, or does not pause.
import { growingKinds } from './kinds.ts';
import { measure, type Growth } from './measure.ts';
import { fillings, placeName, placesOf } from './places.ts';

const [count = '4000', kind = '', placePart = ''] = process.argv.slice(2);
const started = performance.now();

function show({ work, place, filling, onceMs, twiceMs, stretchMs }: Growth): string {
  const ms = (value: number): string => value.toFixed(1);
  return `${work} ${place} ${filling}: ${ms(onceMs)} ${ms(twiceMs)} ratio ${(twiceMs / onceMs).toFixed(1)} stretch ${ms(stretchMs)}`;
}

for (const growing of await growingKinds()) {
  if (kind.startsWith('-') ? growing.resource.kind === kind.slice(1) : kind !== '' && growing.resource.kind !== kind)
    continue;
  const isTemplated = !['Pod'].includes(growing.resource.kind);
  for (const place of placesOf(growing.resource.schema)) {
    const name = placeName(place);
    if (!name.includes(placePart)) continue;
    // Pods are grown by themselves.
    if (isTemplated && (kind === '' || kind.startsWith('-')) && /template\.(spec|metadata)/i.test(name)) continue;
    if (growing.resource.kind !== 'ConfigMap' && (kind === '' || kind.startsWith('-')) && name.startsWith('metadata.'))
      continue;
    for (const filling of fillings) {
      for (const growth of await measure(growing, place, filling, Number(count))) {
        const isSlow = growth.twiceMs > 8 && growth.twiceMs > 2.8 * Math.max(growth.onceMs, 2);
        if (isSlow || growth.stretchMs > 25 || growth.failure !== undefined)
          console.log(`${growing.resource.kind}: ${show(growth)} ${growth.failure ?? ''}`);
      }
    }
  }
}
console.log(`${((performance.now() - started) / 1000).toFixed(0)} s`);
