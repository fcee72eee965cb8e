import type { JsonObject } from '../../src/api/json/json.ts';
import { pick, type Random } from '../random-objects/random.ts';
import type { Base } from '../walk-schemas/bases.ts';
import { putValue } from '../walk-schemas/put-value.ts';
import type { WalkedServer } from '../walk-schemas/walked-server.ts';
import { plausibleValue } from './values.ts';
import { placesIn, targetsOf, written } from './writes.ts';

/** The sample of a kind with random further fields, as long as a server takes it. */
export async function enriched(base: Base, server: WalkedServer, random: Random, attempts = 25): Promise<Base> {
  const target = targetsOf(base).find(({ verb, subresource }) => verb === 'create' && subresource === '');
  if (target === undefined || base.resource.storage === undefined) return base;
  const places = placesIn(target).filter(({ path: [first] }) => first !== 'status' && first !== 'metadata');
  let object = base.object;
  for (let tried = 0; tried < attempts && places.length > 0; tried += 1) {
    const place = pick(random, places);
    const value = plausibleValue(random, place);
    const fill = (schema: typeof place.schema) => plausibleValue(random, { schema, path: [] });
    const next: JsonObject = putValue(object, place, { value, surroundings: 'lush', fill });
    const question = written({ ...base, object: next }, target, []);
    if ((await server.send(question.request(next))).code === 201) object = next;
  }
  return { ...base, object };
}
