import { ConfigError } from '../../api/errors/config-error.ts';
import { compileGoRegexp, goRegexpError, loadGoRegexp } from '../../api/go/go-regexp.ts';

/** Whether the pages of an origin may use the API; undefined if no origins are allowed. Throws a ConfigError. */
export async function allowedOrigins(
  expressions: readonly string[],
): Promise<((origin: string) => boolean) | undefined> {
  if (expressions.length === 0) return undefined;
  await loadGoRegexp();
  const problems = expressions.map(problemOf).filter((problem) => problem !== undefined);
  if (problems.length > 0) throw new ConfigError(aggregate([...new Set(problems)]));
  const compiled = expressions.map((expression) => compileGoRegexp(expression));
  return (origin) => compiled.some((pattern) => pattern.matches(origin) === true);
}

const advice =
  "each must begin with '^' or contain '//', and end with '$' or contain ':', as '//example\\.com(:|$)' does, because it would match longer host names otherwise";

function problemOf(expression: string): string | undefined {
  if (expression === '') return `empty value in --cors-allowed-origins, help: ${advice}`;
  const problem = goRegexpError(expression) ?? unpinned(expression);
  if (problem === undefined) return undefined;
  return `--cors-allowed-origins has an invalid regular expression: ${problem}, help: ${advice}`;
}

/** `//example\.com` would also match `https://example.com.evil.org` (CVE-2022-1996). */
function unpinned(expression: string): string | undefined {
  const isPinned = (marks: readonly string[]): boolean => marks.some((mark) => expression.includes(mark));
  if (isPinned(['^', '//']) && isPinned(['$', ':'])) return undefined;
  return 'regular expression does not pin to start/end of host in the origin header';
}

function aggregate(problems: readonly string[]): string {
  return problems.length === 1 ? (problems[0] ?? '') : `[${problems.join(', ')}]`;
}
