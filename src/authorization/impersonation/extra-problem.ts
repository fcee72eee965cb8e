import { fieldErrorText, invalidField } from '../../api/errors/field-error.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { dnsSubdomainErrors, patternMessage } from '../../api/meta/names.ts';
import type { UserInfo } from '../../api/contracts/user.ts';

const pathPattern = String.raw`[A-Za-z0-9/\-._~%!$&'()*+,;=:]+`;
const path = new RegExp(`^${pathPattern}$`);
const field = 'extra.key';

/** Validates extra values for constrained impersonation. */
export function extraProblem(extra: UserInfo['extra']): string | undefined {
  for (const [key, values] of Object.entries(extra)) {
    const problem = keyProblem(key);
    if (problem !== undefined) return problem;
    if (values.includes('')) return 'impersonating the empty string value in extra is not allowed';
  }
  return undefined;
}

/** Keys look like `acme.io/foo`, in lower case. */
function keyProblem(key: string): string | undefined {
  if (key === '') return 'impersonating the empty string key in extra is not allowed';
  const errors = pathErrors(key);
  const text = errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`;
  if (errors.length > 0) return `impersonating an invalid key in extra is not allowed: ${text}`;
  if (key !== key.toLowerCase()) return `impersonating a non-lowercase key in extra is not allowed: ${goQuote(key)}`;
  return undefined;
}

function pathErrors(key: string): readonly string[] {
  const slash = key.indexOf('/');
  const [host, rest] = [key.slice(0, slash), key.slice(slash + 1)];
  if (slash <= 0 || rest === '') {
    return [fieldErrorText(invalidField(field, key, 'must be a domain-prefixed path (such as "acme.io/foo")'))];
  }
  return [
    ...dnsSubdomainErrors(host).map((problem) => invalidField(field, host, problem)),
    ...(path.test(rest) ? [] : [invalidField(field, rest, patternMessage('Invalid path', pathPattern))]),
  ].map(fieldErrorText);
}
