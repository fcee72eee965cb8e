import { compareBytewise } from '../api/json/json-text.ts';
import { FieldSet } from './field-set.ts';
import { type Managed, managerId, secondsOf } from './managed-entries.ts';

const maxUpdateManagers = 10;
const oldUpdatesManager = 'ancient-changes';

/** Merges the oldest Update managers into one bucket per version when there are more than `max`. */
export function capUpdateManagers({ owners, times }: Managed, max = maxUpdateManagers): void {
  if (owners.size <= max) return;
  const updaters = [...owners].filter(([, { applied }]) => !applied).map(([id]) => id);
  if (updaters.length <= max) return;
  const seconds = new Map(updaters.map((id) => [id, secondsOf(times.get(id))]));
  updaters.sort((a, b) => (seconds.get(a) ?? 0) - (seconds.get(b) ?? 0) || compareBytewise(a, b));
  // A bucket starts with the second manager of a version: a single one keeps its identity.
  const firstOfVersion = new Map<string, string>();
  // Joined once at the end: there may be thousands of sets.
  const joined = new Map<string, FieldSet[]>();
  let count = updaters.length;
  for (const id of updaters) {
    if (count <= max) break;
    const ownership = owners.get(id);
    if (ownership === undefined) continue;
    const { apiVersion } = ownership;
    const first = firstOfVersion.get(apiVersion);
    if (first === undefined) {
      firstOfVersion.set(apiVersion, id);
      continue;
    }
    const bucket = managerId({ manager: oldUpdatesManager, operation: 'Update', apiVersion, subresource: '' });
    const sets = joined.get(bucket) ?? [(owners.get(bucket) ?? owners.get(first) ?? ownership).set];
    sets.push(ownership.set);
    joined.set(bucket, sets);
    if (!owners.has(bucket)) owners.delete(first);
    owners.set(bucket, ownership);
    owners.delete(id);
    if (id === bucket) joined.delete(bucket);
    count -= 1;
    const time = times.get(id);
    if (time === undefined) times.delete(bucket);
    else times.set(bucket, time);
  }
  for (const [bucket, sets] of joined) {
    const ownership = owners.get(bucket);
    if (ownership !== undefined) owners.set(bucket, { ...ownership, set: FieldSet.unionOf(sets) });
  }
}
