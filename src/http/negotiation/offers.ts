import { notAcceptable } from '../../api/errors/status-errors.ts';
import type { ResourceScope } from '../../operations/resource-scope.ts';
import type { Subresource } from '../../schema/resource.ts';
import type { Exchange } from '../transport/exchange.ts';
import { negotiateOutput } from './negotiate.ts';
import type { OutputFormat } from './output-format.ts';
import type { WireForms } from './wire-forms.ts';

/** The parts of a request context that negotiation needs. */
interface Negotiating {
  readonly exchange: Pick<Exchange, 'header'>;
  readonly wireForms: WireForms;
}

/** The format that the client asked of a resource. */
export function negotiate(
  { exchange, wireForms }: Negotiating,
  scope: ResourceScope,
  subresource: Subresource | undefined,
): OutputFormat {
  const { typed, unstructured } = wireForms.offers;
  // That also goes for scales of custom resources, though they have a Go type.
  const { printed, unprinted } = scope.isUnstructured ? unstructured : typed;
  return negotiateOutput(exchange.header('accept'), printsAsTable(scope, subresource) ? printed : unprinted);
}

/** Refuses a format that is no stream of events: it is chosen among all media types. */
export function refuseWithoutEvents({ wireForms }: Pick<Negotiating, 'wireForms'>, { encoding }: OutputFormat): void {
  if (encoding.events === undefined) throw notAcceptable(wireForms.streamNames);
}

/** The format for responses other than resources, and for a Status. */
export function negotiatePlain({ exchange, wireForms }: Negotiating, offer: 'plain' | 'pages' = 'plain'): OutputFormat {
  return negotiateOutput(exchange.header('accept'), wireForms.offers[offer]);
}

/** Create-only resources such as reviews are never printed, and only two subresources are. */
function printsAsTable({ resource, responses }: ResourceScope, subresource: Subresource | undefined): boolean {
  if (subresource === undefined) return resource.verbs.some((verb) => verb !== 'create');
  if (subresource.name === 'status') return responses.statusHasNoTable !== true;
  return subresource.name === 'scale';
}
