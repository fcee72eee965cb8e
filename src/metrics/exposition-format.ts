import { parseAccept } from '../http/negotiation/accept-header.ts';

/** How metrics are sent. */
export interface ExpositionFormat {
  readonly kind: 'text' | 'protobuf';
  readonly contentType: string;
}

const protobufType = 'application/vnd.google.protobuf';
const message = 'io.prometheus.client.MetricFamily';
const escapings: ReadonlySet<string> = new Set(['allow-utf-8', 'underscores', 'dots', 'values']);

/** The format that a scraper asks for; text if it asks for nothing known. */
export function expositionFormat(accept: string | undefined): ExpositionFormat {
  // All names are plain, so that none needs escaping.
  let escaping = 'underscores';
  for (const { type, subtype, parameters } of parseAccept(accept ?? '')) {
    const requested = parameters.get('escaping') ?? '';
    if (escapings.has(requested)) escaping = requested;
    const isMessage = `${type}/${subtype}` === protobufType && parameters.get('proto') === message;
    if (isMessage && parameters.get('encoding') === 'delimited') {
      const contentType = `${protobufType}; proto=${message}; encoding=delimited; escaping=${escaping}`;
      return { kind: 'protobuf', contentType };
    }
    const version = parameters.get('version') ?? '';
    if (type === 'text' && subtype === 'plain' && (version === '' || version === '0.0.4')) break;
  }
  return { kind: 'text', contentType: `text/plain; version=0.0.4; charset=utf-8; escaping=${escaping}` };
}
