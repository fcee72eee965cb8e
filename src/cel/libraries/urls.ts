import { GoUrlError, parseGoRequestUrl, parseGoUrl } from '../../api/go/go-url.ts';
import { listType, mapType, structType, types } from '../types/cel-type.ts';
import { MapValue } from '../values/collections.ts';
import { CelError, type Value } from '../values/value.ts';
import { declare, global, type Library, member, unary } from './define.ts';
import { UrlValue } from './url-value.ts';

const { bool, string } = types;
const url = structType('kubernetes.URL');

type Part = readonly [name: string, id: string, of: (url: UrlValue) => string];

const parts: readonly Part[] = [
  ['getScheme', 'url_get_scheme', ({ scheme }) => scheme],
  ['getHost', 'url_get_host', ({ host }) => host],
  ['getHostname', 'url_get_hostname', ({ hostname }) => hostname],
  ['getPort', 'url_get_port', ({ port }) => port],
  ['getEscapedPath', 'url_get_escaped_path', ({ escapedPath }) => escapedPath],
];

export const urlsLibrary: Library = {
  name: 'kubernetes.urls',
  functions: [
    declare('url', global('string_to_url', [[string], url], unary(parsed))),
    ...parts.map(([name, id, of]) =>
      declare(
        name,
        member(
          id,
          [[url], string],
          unary((value) => of(value as UrlValue)),
        ),
      ),
    ),
    declare(
      'getQuery',
      member(
        'url_get_query',
        [[url], mapType(string, listType(string))],
        unary((value) => queryOf(value as UrlValue)),
      ),
    ),
    declare(
      'isURL',
      global(
        'is_url_string',
        [[string], bool],
        unary((text) => !(parsedRequest(text) instanceof CelError)),
      ),
    ),
  ],
};

function parsedRequest(text: Value): Value {
  return orError(() => {
    parseGoRequestUrl(text as string);
    return true;
  });
}

function parsed(text: Value): Value {
  const request = parsedRequest(text);
  return request instanceof CelError ? request : orError(() => new UrlValue(parseGoUrl(text as string)));
}

function orError(parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    if (error instanceof GoUrlError) {
      return new CelError(`URL parse error during conversion from string: ${error.message}`);
    }
    throw error;
  }
}

function queryOf({ query }: UrlValue): Value {
  const lists = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const key = unescaped(equals < 0 ? pair : pair.slice(0, equals));
    const value = unescaped(equals < 0 ? '' : pair.slice(equals + 1));
    if (key === undefined || value === undefined) continue;
    const known = lists.get(key);
    if (known === undefined) lists.set(key, [value]);
    else known.push(value);
  }
  const map = new MapValue();
  for (const [key, values] of lists) map.set(key, values);
  return map;
}

/** Undefined for invalid escapes. */
function unescaped(text: string): string | undefined {
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return undefined;
  const plain = text.replaceAll('+', ' ');
  return plain.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}
