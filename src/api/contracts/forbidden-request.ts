import type { AuthorizationAttributes } from './authorization.ts';
import { goQuote } from '../go/go-quote.ts';
import type { StatusError } from '../errors/status.ts';
import { forbidden } from '../errors/status-errors.ts';

/** The 403 of a denied request. */
export function forbiddenError(attributes: AuthorizationAttributes, reason: string): StatusError {
  const what = withoutMarkup(sentence(attributes));
  const why = reason === '' ? what : `${what}: ${reason}`;
  const resource = attributes.isResourceRequest
    ? { group: attributes.group, resource: attributes.resource }
    : { group: '', resource: '' };
  return forbidden(resource, attributes.name, why);
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes client-controlled text, so that browsers do not take it for markup. */
export function withoutMarkup(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => escapes[character] ?? '');
}

function sentence(attributes: AuthorizationAttributes): string {
  const { user, verb, path, group, resource, subresource, namespace } = attributes;
  const who = `User ${goQuote(user.name)} cannot ${verb}`;
  if (!attributes.isResourceRequest) return `${who} path ${goQuote(path)}`;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace ${goQuote(namespace)}`;
  return `${who} resource ${goQuote(what)} in API group ${goQuote(group)} ${scope}`;
}
