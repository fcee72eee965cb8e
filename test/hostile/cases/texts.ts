import { type HostileCase, maximalBytes } from '../hostile-case.ts';
import type { Reply } from '../hostile-client.ts';
import { placesOfKinds } from '../places/kinds.ts';
import type { TextField } from '../places/place.ts';
import { placesOfPods } from '../places/pods.ts';

/** Patterns that provoke backtracking, and the components of numbers, paths and lists. */
const everywhere = [
  ' ',
  'a',
  '0',
  '/',
  '.',
  '-',
  ':',
  ',',
  'A-',
  'a.',
  '\t',
  'é',
  '\u{1f600}',
  '%',
  "'",
  '"',
  '\\',
  '(',
  '=',
  '\0',
];
/** For continuous integration. */
const first = new Set([' ', 'a', '0', '/', 'a.', 'A-']);
/** Suffixes that make an otherwise matching string fail. */
const ends = ['', '!'];

const places: readonly TextField[] = [...placesOfPods, ...placesOfKinds];

/** One huge string at one place after another. */
function textCase(
  { what, path, document, texts = [], prefix = '' }: TextField,
  { long }: { readonly long: boolean },
): HostileCase {
  const units = [...everywhere.filter((unit) => long !== first.has(unit)), ...(long ? [] : texts)];
  const bytes = maximalBytes / JSON.stringify(document).split('HOLE').length;
  return {
    name: `text${long ? ' of other letters' : ''}: ${what}`,
    long,
    bodyBytes: maximalBytes,
    codes: [200, 201, 400, 404, 409, 413, 422],
    send: async (client) => {
      const replies: Reply[] = [];
      for (const unit of units) {
        for (const end of ends) {
          const quoted = JSON.stringify(prefix + unit + end).slice(1, -1);
          const times = Math.floor((bytes - 1000) / (quoted.length + unit.length));
          const text = JSON.stringify(prefix + unit.repeat(times) + end);
          const body = JSON.stringify(document).replaceAll('"HOLE"', () => text);
          replies.push(await client.send({ path: `${path}?dryRun=All&fieldValidation=Ignore`, body }));
        }
      }
      return replies;
    },
  };
}

export const textCases: readonly HostileCase[] = places.map((place) => textCase(place, { long: false }));
export const otherTextCases: readonly HostileCase[] = places.map((place) => textCase(place, { long: true }));

/** Texts of 100 KB, enough to tell a quadratic pattern from a linear one. */
export const shortTextCases: readonly HostileCase[] = places.map(
  ({ what, path, document, texts = [], prefix = '' }) => ({
    name: `100 KB of text: ${what}`,
    bodyBytes: 100_000,
    codes: [200, 201, 400, 404, 409, 413, 422],
    send: async (client) => {
      const replies: Reply[] = [];
      for (const unit of [...everywhere, ...texts]) {
        const hole = JSON.stringify(`${prefix}${unit.repeat(33_000 / unit.length)}!`);
        const body = JSON.stringify(document).replaceAll('"HOLE"', () => hole);
        replies.push(await client.send({ path: `${path}?dryRun=All`, body: body.slice(0, 2_900_000) }));
      }
      return replies;
    },
  }),
);
