import type { Encoding } from '../forms/encoding.ts';
import type { Form } from '../forms/form.ts';
import type { OutputOffer } from './negotiate.ts';

/** The wire forms of a server. All lists are in the order in which errors show them. */
export interface WireForms {
  /** For bodies and responses; the first is the default. */
  readonly encodings: readonly Encoding[];
  /** All response media types. */
  readonly mediaTypes: readonly string[];
  /** Names of the watch encodings in errors. */
  readonly streamNames: readonly string[];
  /** Media types that the route of a collection offers. */
  readonly collections: readonly string[];
  /** Media types of apply patches. */
  readonly applyTypes: readonly string[];
  readonly offers: Offers;
}

/** The offers of resources. Whether a form is available turns out only when something is shown. */
export interface Offers {
  readonly typed: ResourceOffers;
  /** For kinds without a Go type. */
  readonly unstructured: ResourceOffers;
  /** For objects without other forms: statuses, discovery. */
  readonly plain: OutputOffer;
  /** For pages of the process, and refusals of those. */
  readonly pages: OutputOffer;
}

export interface ResourceOffers {
  readonly printed: OutputOffer;
  readonly unprinted: OutputOffer;
}

/** Call once per server: parsed headers are cached per offer. */
export function wireForms(encodings: readonly Encoding[], forms: readonly Form[]): WireForms {
  const mediaTypes = encodings.map(({ serializer }) => serializer.mediaType);
  const streamNames = encodings.flatMap(({ events }) => (events === undefined ? [] : [events.name]));
  const applyTypes = encodings.flatMap(({ applyType }) => (applyType === undefined ? [] : [applyType]));
  const collections = [...mediaTypes, ...streamNames];
  return { encodings, mediaTypes, streamNames, collections, applyTypes, offers: offersOf(encodings, forms) };
}

function offersOf(encodings: readonly Encoding[], forms: readonly Form[]): Offers {
  const [whole] = forms;
  if (whole === undefined) throw new Error('there is no form for objects');
  const plain: OutputOffer = { encodings, forms: [whole], convertedOnly: [] };
  const printed: OutputOffer = { ...plain, forms, serverVersion: 'v1' };
  const typed = { printed, unprinted: { ...printed, forms: forms.filter(({ printedOnly }) => printedOnly !== true) } };
  const pages = { ...plain, encodings: encodings.filter(({ typedOnly }) => typedOnly !== true) };
  const convertedOnly = encodings.filter(({ typedOnly }) => typedOnly === true);
  const unstructured = {
    printed: { ...typed.printed, convertedOnly },
    unprinted: { ...typed.unprinted, convertedOnly },
  };
  return { plain, pages, typed, unstructured };
}
