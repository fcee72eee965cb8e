import { childPath, invalidField, requiredField } from '../../api/errors/field-error.ts';
import { type GoUrl, GoUrlError, parseGoUrl } from '../../api/go/go-url.ts';
import { dnsSubdomainErrors } from '../../api/meta/names.ts';
import { type Errors, isEmpty, rangeMessage } from './rules/rules.ts';

// Client configuration of admission and conversion webhooks.

export interface WebhookService {
  readonly name?: string;
  readonly namespace?: string;
  readonly path?: string;
  readonly port?: number;
}

const form = '; desired format: https://host[/path]';

export function* webhookUrl(text: string, path: string): Errors {
  let url: GoUrl;
  try {
    url = parseGoUrl(text);
  } catch (error) {
    if (!(error instanceof GoUrlError)) throw error;
    return yield requiredField(path, `url must be a valid URL: ${error.message}${form}`);
  }
  const { scheme, host, user, fragment, query } = url;
  if (scheme !== 'https') yield invalidField(path, scheme, `'https' is the only allowed URL scheme${form}`);
  if (host === '') yield invalidField(path, host, `host must be specified${form}`);
  if (user !== undefined) yield invalidField(path, user, 'user information is not permitted in the URL');
  if (fragment !== '') yield invalidField(path, fragment, 'fragments are not permitted in the URL');
  if (query !== '') yield invalidField(path, query, 'query parameters are not permitted in the URL');
}

export function* webhookService(
  { name, namespace, path: urlPath = '', port = 0 }: WebhookService,
  path: string,
): Errors {
  // As in the reference, a missing namespace is reported as a missing name and vice versa.
  if (isEmpty(namespace)) yield requiredField(childPath(path, 'name'));
  if (isEmpty(name)) yield requiredField(childPath(path, 'namespace'));
  yield* servicePort(port, childPath(path, 'port'));
  yield* servicePath(urlPath, childPath(path, 'path'));
}

function* servicePath(value: string, path: string): Errors {
  if (value === '' || value === '/') return;
  if (value === '//') return yield invalidField(path, value, 'segment[0] may not be empty');
  if (!value.startsWith('/')) yield invalidField(path, value, "must start with a '/'");
  const segments = value.slice(1).replace(/\/$/, '').split('/');
  for (const [index, segment] of segments.entries()) {
    if (segment === '') yield invalidField(path, value, `segment[${index}] may not be empty`);
    else for (const text of dnsSubdomainErrors(segment)) yield invalidField(path, value, `segment[${index}]: ${text}`);
  }
}

export function* servicePort(port: number, path: string): Errors {
  if (port < 1 || port > 65535) yield invalidField(path, port, `port is not valid: ${rangeMessage(1, 65535)}`);
}
