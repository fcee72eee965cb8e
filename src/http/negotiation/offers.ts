import { notAcceptable } from '../../api/status-errors.ts';
import type { ResourceScope } from '../../operations/resource-scope.ts';
import type { Subresource } from '../../schema/resource.ts';
import type { Exchange } from '../transport/exchange.ts';
import { negotiateOutput } from './negotiate.ts';
import type { OutputFormat } from './output-format.ts';
import type { WireForms } from './wire-forms.ts';

/** What negotiation looks at. */
interface Negotiating {
  readonly exchange: Pick<Exchange, 'header'>;
  readonly wireForms: WireForms;
}

/** What the client has asked of a resource; `stream` is for a watch. */
export function negotiate(
  { exchange, wireForms }: Negotiating,
  scope: ResourceScope,
  { subresource, stream }: { readonly subresource: Subresource | undefined; readonly stream: boolean },
): OutputFormat {
  const { typed, unstructured } = wireForms.offers;
  const isOwn = subresource === undefined || subresource.kind === scope.resource.kind;
  const { printed, unprinted } = scope.isUnstructured && isOwn ? unstructured : typed;
  const format = negotiateOutput(exchange.header('accept'), printsAsTable(scope, subresource) ? printed : unprinted);
  // The type is chosen among all, and may then have no form for streams.
  if (stream && format.encoding.events === undefined) throw notAcceptable(wireForms.streamNames);
  return format;
}

/** What the client has asked of what is no resource, or of a Status. */
export function negotiatePlain({ exchange, wireForms }: Negotiating): OutputFormat {
  return negotiateOutput(exchange.header('accept'), wireForms.offers.plain);
}

/** Reviews and the like, which are only created, are never printed, and of subresources but two. */
function printsAsTable({ resource, answers }: ResourceScope, subresource: Subresource | undefined): boolean {
  if (subresource === undefined) return resource.verbs.some((verb) => verb !== 'create');
  if (subresource.name === 'status') return answers.statusHasNoTable !== true;
  return subresource.name === 'scale';
}
