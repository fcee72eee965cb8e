import { goQuote } from '../../api/go/go-quote.ts';
import { int64Problem } from '../../api/go/go-integer.ts';

// The clauses of a format string: `%s`, `%.2f`, `%%`.

export class FormatError extends Error {
  override readonly name = 'FormatError';
  readonly code = 'cel-format';
}

export interface Clause {
  readonly letter: (typeof letters)[number];
  readonly precision: number | undefined;
}

const letters = ['s', 'd', 'f', 'e', 'b', 'x', 'X', 'o'] as const;
/** The reference has no limit; no sensible format exceeds it. */
const maxPrecision = 10_000;

/**
 * Literal text, and clauses with the index of their argument; `isChecked` during validation, without values. Throws
 * FormatError.
 */
export function* formatParts(
  format: string,
  argCount: number,
  isChecked = false,
): Generator<string | { readonly clause: Clause; readonly argument: number }> {
  let argument = 0;
  let at = 0;
  while (at < format.length) {
    const percent = format.indexOf('%', at);
    if (percent < 0) return yield format.slice(at);
    if (percent > at) yield format.slice(at, percent);
    if (format[percent + 1] === '%') {
      yield '%';
      at = percent + 2;
      continue;
    }
    // A missing argument is reported before a missing verb, except during validation.
    if (percent + 1 >= format.length && (isChecked || argument < argCount))
      throw new FormatError('unexpected end of string');
    if (argument >= argCount) throw new FormatError(`index ${argument} out of range`);
    const { clause, end } = clauseAt(format, percent + 1);
    yield { clause, argument };
    argument += 1;
    at = end;
  }
}

function clauseAt(format: string, start: number): { readonly clause: Clause; readonly end: number } {
  const { precision, at } = precisionAt(format, start);
  const letter = letters.find((each) => each === format[at]);
  if (letter === undefined) {
    const shown = String.fromCharCode(Buffer.from(format.slice(at, at + 2))[0] ?? 0);
    throw new FormatError(`could not parse formatting clause: unrecognized formatting clause "${shown}"`);
  }
  return { clause: { letter, precision }, end: at + 1 };
}

function precisionAt(format: string, start: number): { readonly precision: number | undefined; readonly at: number } {
  if (format[start] !== '.') return { precision: undefined, at: start };
  let at = start + 1;
  while (/[0-9]/.test(format[at] ?? '')) at += 1;
  const digits = format.slice(start + 1, at);
  const problem = at >= format.length ? 'could not find end of precision specifier' : precisionProblem(digits);
  if (problem !== undefined) {
    throw new FormatError(`could not parse formatting clause: error while parsing precision: ${problem}`);
  }
  return { precision: Number(digits), at };
}

function precisionProblem(digits: string): string | undefined {
  const problem = int64Problem(digits);
  if (problem !== undefined) {
    return `error while converting precision to integer: strconv.Atoi: parsing ${goQuote(digits)}: ${problem}`;
  }
  return Number(digits) > maxPrecision
    ? `precision ${digits} exceeds maximum allowed precision ${maxPrecision}`
    : undefined;
}
