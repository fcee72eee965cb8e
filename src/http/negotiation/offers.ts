import { notAcceptable } from '../../api/status-errors.ts';
import { protobufSerializer } from '../../codec/protobuf-serializer.ts';
import type { ResourceScope } from '../../operations/resource-scope.ts';
import type { Subresource } from '../../schema/resource.ts';
import type { MediaTypes } from './media-types.ts';
import { negotiateOutput, type OutputFormat, type OutputOffer } from './negotiate.ts';
import type { RequestContext } from '../request/request-context.ts';

/** What a server offers. Whether a transform can be had shows when there is something to transform. */
interface Offers {
  readonly typed: ResourceOffers;
  /** Of kinds without a Go type, which have no protobuf form. */
  readonly unstructured: ResourceOffers;
  /** Of what is not transformed: statuses, discovery. */
  readonly plain: OutputOffer;
}

interface ResourceOffers {
  readonly printed: OutputOffer;
  readonly unprinted: OutputOffer;
}

/** Made once for each server: what headers mean is kept by offer. */
const offers = new WeakMap<MediaTypes, Offers>();

function offersOf(mediaTypes: MediaTypes): Offers {
  let made = offers.get(mediaTypes);
  if (made === undefined) {
    const plain: OutputOffer = { mediaTypes: mediaTypes.objects, streams: mediaTypes.streams, transforms: [] };
    const partial = ['PartialObjectMetadata', 'PartialObjectMetadataList'] as const;
    const unprinted: OutputOffer = { ...plain, transforms: partial, serverVersion: 'v1' };
    const typed = { unprinted, printed: { ...unprinted, transforms: ['Table', ...partial] as const } };
    const transformedOnly = [protobufSerializer.mediaType];
    const unstructured = {
      unprinted: { ...typed.unprinted, transformedOnly },
      printed: { ...typed.printed, transformedOnly },
    };
    made = { plain, typed, unstructured };
    offers.set(mediaTypes, made);
  }
  return made;
}

/** What the client has asked of a resource; `stream` is for a watch. */
export function negotiate(
  { exchange, mediaTypes }: RequestContext,
  scope: ResourceScope,
  { subresource, stream }: { readonly subresource: Subresource | undefined; readonly stream: boolean },
): OutputFormat {
  const { typed, unstructured } = offersOf(mediaTypes);
  const isOwn = subresource === undefined || subresource.kind === scope.resource.kind;
  const { printed, unprinted } = scope.isUnstructured && isOwn ? unstructured : typed;
  const format = negotiateOutput(exchange.header('accept'), printsAsTable(scope, subresource) ? printed : unprinted);
  // The type is chosen among all, and may then have no form for streams.
  if (stream && !mediaTypes.streams.includes(format.mediaType)) throw notAcceptable(mediaTypes.streamNames);
  return format;
}

/** What the client has asked of what is no resource, or of a Status. */
export function negotiatePlain({ exchange, mediaTypes }: RequestContext): OutputFormat {
  return negotiateOutput(exchange.header('accept'), offersOf(mediaTypes).plain);
}

/** Reviews and the like, which are only created, are never printed, and of subresources but two. */
function printsAsTable({ resource, answers }: ResourceScope, subresource: Subresource | undefined): boolean {
  if (subresource === undefined) return resource.verbs.some((verb) => verb !== 'create');
  if (subresource.name === 'status') return answers.statusHasNoTable !== true;
  return subresource.name === 'scale';
}
