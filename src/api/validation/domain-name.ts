import { type FieldError, invalidField, requiredField } from '../errors/field-error.ts';
import { dnsLabelErrors, dnsSubdomainErrors } from '../meta/names.ts';

export const tooFewSegments = 'should be a domain with at least two segments separated by dots';

/** What is wrong with a domain of two labels or more; the dot of the root may follow. */
export function domainNameErrors(name: string, path: string): readonly FieldError[] {
  if (name === '') return [requiredField(path)];
  const domain = name.endsWith('.') ? name.slice(0, -1) : name;
  const problems = dnsSubdomainErrors(domain);
  if (problems.length > 0) return [invalidField(path, domain, problems.join(','))];
  const labels = domain.split('.');
  if (labels.length < 2) return [invalidField(path, domain, tooFewSegments)];
  const bad = labels.find((label) => dnsLabelErrors(label).length > 0);
  return bad === undefined ? [] : [invalidField(path, bad, dnsLabelErrors(bad).join(','))];
}
