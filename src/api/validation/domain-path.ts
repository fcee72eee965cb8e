import { type FieldError, invalidField, requiredField } from '../errors/field-error.ts';
import { dnsSubdomainErrors, patternMessage } from '../meta/names.ts';

const httpPath = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const httpPathExpression = new RegExp(`^${httpPath}$`);

/** `example.com/path`. */
export function domainPrefixedPath(value: string, path: string): FieldError[] {
  if (value === '') return [requiredField(path)];
  const slash = value.indexOf('/');
  const [host, rest] = [value.slice(0, slash), value.slice(slash + 1)];
  if (slash <= 0 || rest === '') {
    return [invalidField(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const errors = dnsSubdomainErrors(host).map((text) => invalidField(path, host, text));
  if (!httpPathExpression.test(rest)) {
    errors.push(invalidField(path, rest, patternMessage('Invalid path', httpPath)));
  }
  return errors;
}
