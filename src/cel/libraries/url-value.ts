import type { GoUrl } from '../../api/go/go-url.ts';
import { structType, type CelType } from '../types/cel-type.ts';
import { LibraryValue, type Value } from '../values/value.ts';

const urlType = structType('kubernetes.URL');

export class UrlValue extends LibraryValue {
  readonly #url: GoUrl;
  readonly host: string;

  constructor(url: GoUrl) {
    super();
    this.#url = url;
    this.host = decoded(url.host);
  }

  get type(): CelType {
    return urlType;
  }

  get scheme(): string {
    return this.#url.scheme;
  }

  get query(): string {
    return this.#url.query;
  }

  get hostname(): string {
    return withoutBrackets(this.port === '' ? this.host.replace(/:$/, '') : this.host.slice(0, -this.port.length - 1));
  }

  get port(): string {
    return /:(\d*)$/.exec(this.host)?.[1] ?? '';
  }

  get escapedPath(): string {
    const { path, scheme } = this.#url;
    if (!path.startsWith('/') && scheme !== '') return '';
    if (/^[A-Za-z0-9\-_.~!$&'()*+,;=:@[\]%/]*$/.test(path)) return path;
    const bytes = [...Buffer.from(decoded(path), 'utf8')];
    return bytes.map((byte) => (isPlain(byte) ? String.fromCharCode(byte) : escaped(byte))).join('');
  }

  /** As Go prints it. */
  get text(): string {
    const { scheme, user, path, query, fragment, hasAuthority, hasEmptyQuery } = this.#url;
    const isOpaque = !path.startsWith('/') && !hasAuthority && scheme !== '';
    const start = scheme === '' ? '' : `${scheme}:`;
    const authority = `${user === undefined ? '' : `${user}@`}${escapedHost(this.host)}`;
    const slashes = hasAuthority && (authority !== '' || path !== '' || user !== undefined) ? '//' : '';
    const rest = isOpaque ? path : `${slashes}${authority}${this.escapedPath}`;
    return `${start}${rest}${query !== '' || hasEmptyQuery ? `?${query}` : ''}${fragment === '' ? '' : `#${fragment}`}`;
  }

  get goType(): string {
    return 'cel.URL';
  }

  protected isSame(other: Value): boolean | undefined {
    return other instanceof UrlValue ? this.text === other.text : undefined;
  }
}

function escapedHost(host: string): string {
  return host.replace(/[^\0-\x7f]+/g, (part) => [...Buffer.from(part)].map(escaped).join(''));
}

function isPlain(byte: number): boolean {
  return /[A-Za-z0-9\-_.~$&+,/:;=@]/.test(String.fromCharCode(byte));
}

function escaped(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

function decoded(text: string): string {
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}

function withoutBrackets(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}
