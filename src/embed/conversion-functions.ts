import type { JsonObject } from '../api/json/json.ts';
import type { Manifest } from './manifests.ts';

/** Returns the object in another version; see `ApiServerOptions.conversions`. */
export type ConversionFunction = (object: Record<string, unknown>, apiVersion: string) => object | Promise<object>;

/** By the name of the definition. */
export type ConversionFunctions = Readonly<Record<string, ConversionFunction>>;

export interface ConversionRequest {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly Record<string, unknown>[];
}

export interface ConversionResponse {
  readonly convertedObjects: readonly object[];
  readonly result: { readonly status: 'Success' } | { readonly status: 'Failed'; readonly message: string };
}

/** An error that the function throws fails the request for the objects. */
export async function convertedBy(
  convert: ConversionFunction,
  { objects, desiredAPIVersion }: ConversionRequest,
): Promise<ConversionResponse> {
  try {
    const converted = objects.map(async (object) => ({
      ...(await convert(object, desiredAPIVersion)),
      apiVersion: desiredAPIVersion,
    }));
    return { convertedObjects: await Promise.all(converted), result: { status: 'Success' } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { convertedObjects: [], result: { status: 'Failed', message } };
  }
}

/** Has the server call functions for their definitions. Throws an Error for one of a definition that is not there. */
export function withConversions(
  manifests: readonly Manifest[],
  conversions: ConversionFunctions,
  clientConfigOf: (definition: string) => JsonObject,
): readonly Manifest[] {
  const left = new Set(Object.keys(conversions));
  const all = manifests.map((manifest) => {
    const { metadata, spec } = manifest.object as { metadata?: { name?: string }; spec?: JsonObject }; // as applied
    const name = metadata?.name ?? '';
    if (manifest.kind !== 'CustomResourceDefinition' || !Object.hasOwn(conversions, name)) return manifest;
    left.delete(name);
    const webhook = { clientConfig: clientConfigOf(name), conversionReviewVersions: ['v1'] };
    const object = { ...manifest.object, spec: { ...spec, conversion: { strategy: 'Webhook', webhook } } };
    return { ...manifest, object };
  });
  if (left.size > 0) throw new Error(`conversions: there is no definition ${[...left].join(', ')}`);
  return all;
}
