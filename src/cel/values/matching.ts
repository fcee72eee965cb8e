import { GoRegexpError, goRegexpMatches } from '../../api/go/go-regexp.ts';
import { CelError, Duration, noSuchOverload, Timestamp, type Value } from './value.ts';

/** `text.matches(pattern)`: whether the pattern matches anywhere. */
export function matches(text: Value, pattern: Value): Value {
  if (typeof text !== 'string') {
    const hasMethods = text instanceof Timestamp || text instanceof Duration;
    return hasMethods ? noSuchOverload : new CelError('no such overload: matches');
  }
  return typeof pattern === 'string' ? matchesText(text, pattern) : noSuchOverload;
}

/** Matches that would block the event loop for too long are aborted. */
export const tooLong = new CelError('operation cancelled: matching takes too long');

function matchesText(text: string, pattern: string): Value {
  try {
    return goRegexpMatches(pattern, text) ?? tooLong;
  } catch (error) {
    if (error instanceof GoRegexpError) return new CelError(`error parsing regexp: ${error.message}`);
    throw error;
  }
}
