import { formatDuration, parseDuration } from '../api/time/duration.ts';
import type { FlagFact } from './flag-facts.ts';
import { parseBoolean, strings } from './flag-types.ts';

/**
 * How pflag formats the value of a flag, by type: from all occurrences, or none. Other types show the last one as is.
 */
const shownByType: { readonly [type: string]: (texts: readonly string[]) => string } = {
  bool: (texts) => String(parseBoolean(texts.at(-1) ?? 'false')),
  'version[=true]': (texts) => String(parseBoolean(texts.at(-1) ?? 'false')),
  duration: (texts) => formatDuration(parseDuration(texts.at(-1) ?? '0')),
  strings: (texts) => `[${strings(texts).join(',')}]`,
  stringArray: (texts) => `[${texts.join(',')}]`,
  int: (texts) => texts.at(-1) ?? '0',
  int32: (texts) => texts.at(-1) ?? '0',
  float: (texts) => texts.at(-1) ?? '0',
  float32: (texts) => texts.at(-1) ?? '0',
  quantity: (texts) => texts.at(-1) ?? '0',
  Level: (texts) => texts.at(-1) ?? '0',
  mapStringString: (texts) => texts.join(','),
};

/** Flags with their values; `textsOf` returns the occurrences of those that were given. */
export function shownFlags(
  flags: readonly Omit<FlagFact, 'section'>[],
  textsOf: (name: string) => readonly string[] | undefined,
): ReadonlyMap<string, string> {
  return new Map(flags.map((flag) => [flag.name, shownFlag(flag, textsOf(flag.name))]));
}

/** A flag's value, from its occurrences. Throws a FlagValueError. */
function shownFlag({ type, default: text }: Omit<FlagFact, 'section'>, given: readonly string[] | undefined): string {
  if (given === undefined && text !== undefined) return text;
  const texts = given ?? [];
  return shownByType[type]?.(texts) ?? texts.at(-1) ?? '';
}
