// node tools/measure-growth/main.ts [COUNT [KIND [PLACE]]]: grows every list and map of every built-in kind, or of one
// kind or of its places whose names contain PLACE, to COUNT and twice as many items, and reports work that then takes
// more than twice as long or does not pause.
import { readArguments } from '../arguments.ts';
import { type GrowingKind, growingKinds } from './kinds.ts';
import { type Growth, isSuperLinear, measure } from './measure.ts';
import { fillings, type Collection, placeName, placesOf } from './places.ts';

const { positionals } = readArguments({ allowPositionals: true });
const [count = '4000', kind = '', placePart = ''] = positionals;
/** Work should pause more often, but this machine may be busy. */
const longStretchMs = 25;

function show({ work, place, filling, onceMs, twiceMs, stretchMs, failure = '' }: Growth): string {
  const [once, twice, stretch] = [onceMs, twiceMs, stretchMs].map((ms) => ms.toFixed(1));
  return `${work}, ${place} ${filling}: ${once} ms, twice as many ${twice} ms, longest stretch ${stretch} ms ${failure}`;
}

/** Parts shared by all kinds are measured for one kind; pods are measured, but not their templates. */
function isMeasured({ resource }: GrowingKind, place: Collection): boolean {
  const name = placeName(place);
  if (!name.includes(placePart)) return false;
  if (kind !== '') return resource.kind === kind;
  if (name.startsWith('metadata.')) return resource.kind === 'ConfigMap';
  return !/template\.(spec|metadata)/i.test(name);
}

for (const growing of await growingKinds()) {
  for (const place of placesOf(growing.resource.schema)) {
    if (!isMeasured(growing, place)) continue;
    for (const filling of fillings) {
      for (const growth of await measure(growing, place, { filling, count: Number(count) })) {
        if (!isSuperLinear(growth) && growth.stretchMs < longStretchMs && growth.failure === undefined) continue;
        process.stdout.write(`${growing.resource.kind}: ${show(growth)}\n`);
      }
    }
  }
}
