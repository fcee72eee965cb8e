import { randomInt } from 'node:crypto';
import type { JsonObject } from '../../api/json/json.ts';
import { perKey } from '../../api/collections/per-key.ts';
import { notAcceptable } from '../../api/errors/status-errors.ts';
import { apiHeaders, writeDocument } from '../responses/respond.ts';
import { sendBody } from '../responses/send.ts';
import { objectForm } from '../forms/object-form.ts';
import { type AcceptClause, acceptsType, parseAccept } from '../negotiation/accept-header.ts';
import type { OutputFormat } from '../negotiation/output-format.ts';
import type { CountedPath } from '../request/counted-as.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { PathHandler } from './non-resource-routes.ts';

/** A page about the process, as text for people and as an object for programs. */
export interface ComponentPage {
  readonly path: '/statusz' | '/flagz';
  readonly kind: 'Statusz' | 'Flagz';
  /** The page exists only with this feature gate. */
  readonly gate: string;
  readonly object: (context: RequestContext) => JsonObject;
  /** The text after the heading; `separator` goes between names and values. */
  readonly text: (context: RequestContext, separator: string) => string;
}

const group = 'config.k8s.io';
const component = 'apiserver';
const versions = ['v1beta1', 'v1alpha1'];
const deprecated = 'v1alpha1';
const textType = 'text/plain';

/** Varies between responses, to keep programs from parsing the text. */
const separators = [':', ': ', '=', ' '];

export function componentPageHandler(page: ComponentPage): PathHandler {
  const name = page.path.slice(1);
  const countedAs = perKey((version: string): CountedPath => {
    return { group: version === '' ? '' : group, version, resource: name, component };
  });
  return async (context) => {
    const accept = context.exchange.header('accept') ?? '';
    context.countedAs = countedAs('');
    context.errorOffer = 'pages';
    const format = accept.trim() === '' ? 'text' : chooseFormat(context, page, accept);
    if (format === 'text') return respondAsText(context, page);
    context.countedAs = countedAs(format.version);
    if (format.version === deprecated) {
      context.warnings.add(`This version of the ${name} endpoint is deprecated. Please use a newer version.`);
    }
    const kind = { kind: page.kind, apiVersion: `${group}/${format.version}`, metadata: { name: component } };
    const document = { object: { ...kind, ...page.object(context) }, schema: undefined };
    const { mediaType } = format.encoding.serializer;
    const headers = apiHeaders(context, `${mediaType};g=${group};v=${format.version};as=${page.kind}`);
    await sendBody(context, 200, { headers, body: writeDocument(context, document, format) });
  };
}

/** Objects must be requested by kind and version; all others get text. */
function chooseFormat({ wireForms }: RequestContext, page: ComponentPage, accept: string): OutputFormat | 'text' {
  const { encodings } = wireForms.offers.pages;
  // The reference lists text third.
  const types = encodings.map(({ serializer }) => serializer.mediaType).toSpliced(2, 0, textType);
  for (const clause of parseAccept(accept)) {
    for (const type of types.filter((each) => acceptsType(clause, each))) {
      if (type === textType && !asksForForm(clause)) return 'text';
      const encoding = encodings.find(({ serializer }) => serializer.mediaType === type);
      const version = requestedVersion(clause, page);
      if (encoding !== undefined && version !== undefined)
        return { encoding, form: objectForm, version, pretty: false };
    }
  }
  throw notAcceptable(types);
}

function asksForForm({ parameters }: AcceptClause): boolean {
  return ['as', 'g', 'v', 'sv', 'stream'].some((name) => parameters.has(name));
}

function requestedVersion({ parameters }: AcceptClause, { kind }: ComponentPage): string | undefined {
  if (parameters.get('as') !== kind || parameters.get('g') !== group) return undefined;
  if (parameters.has('sv') || parameters.has('stream')) return undefined;
  return versions.find((version) => version === parameters.get('v'));
}

async function respondAsText(context: RequestContext, page: ComponentPage): Promise<void> {
  const warning =
    'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.';
  const heading = `\n${component} ${page.path.slice(1)}\n${warning}\n`;
  const separator = separators[randomInt(separators.length)] ?? ':';
  const body = Buffer.from(heading + page.text(context, separator));
  await sendBody(context, 200, { headers: apiHeaders(context, 'text/plain; charset=utf-8'), body });
}
