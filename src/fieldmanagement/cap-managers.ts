import { compareBytewise } from '../api/json-text.ts';
import { type Managed, managerId, secondsOf } from './managed-entries.ts';

const maxUpdateManagers = 10;
const oldUpdatesManager = 'ancient-changes';

/** Joins the oldest managers of updates, one bucket a version, when there are more than `max`. */
export function capUpdateManagers({ owners, times }: Managed, max = maxUpdateManagers): void {
  if (owners.size <= max) return;
  const updaters = [...owners].filter(([, { applied }]) => !applied).map(([id]) => id);
  if (updaters.length <= max) return;
  updaters.sort((a, b) => secondsOf(times.get(a)) - secondsOf(times.get(b)) || compareBytewise(a, b));
  // A bucket begins with the second manager of a version: one alone stays who it is.
  const firstOfVersion = new Map<string, string>();
  let count = updaters.length;
  for (const id of updaters) {
    if (count <= max) return;
    const ownership = owners.get(id);
    if (ownership === undefined) continue;
    const { apiVersion } = ownership;
    const first = firstOfVersion.get(apiVersion);
    if (first === undefined) {
      firstOfVersion.set(apiVersion, id);
      continue;
    }
    const bucket = managerId({ manager: oldUpdatesManager, operation: 'Update', apiVersion, subresource: '' });
    const joined = owners.get(bucket) ?? owners.get(first);
    if (!owners.has(bucket)) owners.delete(first);
    owners.set(bucket, { ...ownership, set: joined === undefined ? ownership.set : ownership.set.union(joined.set) });
    owners.delete(id);
    count -= 1;
    const time = times.get(id);
    if (time === undefined) times.delete(bucket);
    else times.set(bucket, time);
  }
}
