import type { JsonValue } from '../../../../src/api/json/json.ts';
import type { Mutation } from '../case.ts';

/** One mutation per value. */
export function values(path: string, ...list: (JsonValue | undefined)[]): Mutation[] {
  return list.map((value) => ({ [path]: value }));
}
