import type { Encoding } from '../forms/encoding.ts';
import type { Form } from '../forms/form.ts';
import type { OutputOffer } from './negotiate.ts';

/** What a server speaks: all lists are in the order in which errors tell them. */
export interface WireForms {
  /** Of bodies and answers; the first is the default. */
  readonly encodings: readonly Encoding[];
  /** The media types of all answers. */
  readonly mediaTypes: readonly string[];
  /** What errors call those of the streams of events. */
  readonly streamNames: readonly string[];
  /** What the route of a collection offers. */
  readonly collections: readonly string[];
  /** The media types of apply patches. */
  readonly applyTypes: readonly string[];
  readonly offers: Offers;
}

/** What resources offer. Whether a form can be had shows when there is something to show. */
export interface Offers {
  readonly typed: ResourceOffers;
  /** Of kinds without a Go type. */
  readonly unstructured: ResourceOffers;
  /** Of what has no other form: statuses, discovery. */
  readonly plain: OutputOffer;
}

export interface ResourceOffers {
  readonly printed: OutputOffer;
  readonly unprinted: OutputOffer;
}

/** Made once for each server: what headers mean is kept by offer. */
export function wireForms(encodings: readonly Encoding[], forms: readonly Form[]): WireForms {
  const mediaTypes = encodings.map(({ serializer }) => serializer.mediaType);
  const streamNames = encodings.flatMap(({ events }) => (events === undefined ? [] : [events.name]));
  const applyTypes = encodings.flatMap(({ applyType }) => (applyType === undefined ? [] : [applyType]));
  const collections = [...mediaTypes, ...streamNames];
  return { encodings, mediaTypes, streamNames, collections, applyTypes, offers: offersOf(encodings, forms) };
}

function offersOf(encodings: readonly Encoding[], forms: readonly Form[]): Offers {
  const [whole] = forms;
  if (whole === undefined) throw new Error('objects have no form');
  const plain: OutputOffer = { encodings, forms: [whole], convertedOnly: [] };
  const printed: OutputOffer = { ...plain, forms, serverVersion: 'v1' };
  const typed = { printed, unprinted: { ...printed, forms: forms.filter(({ printedOnly }) => printedOnly !== true) } };
  const convertedOnly = encodings.filter(({ typedOnly }) => typedOnly === true);
  const unstructured = {
    printed: { ...typed.printed, convertedOnly },
    unprinted: { ...typed.unprinted, convertedOnly },
  };
  return { plain, typed, unstructured };
}
