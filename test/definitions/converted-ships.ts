import { type ConversionWebhook, reviewOf } from './conversion-webhook.ts';

/* Ships in three versions, and webhooks that convert them, each in a way that something is lost, added or changed. */

export const versions = ['v1', 'v2', 'v3'] as const;
export type Version = (typeof versions)[number];

/** The field that holds the name. */
export const nameFields = { v1: 'name', v2: 'title', v3: 'name' } as const;

type Responder = NonNullable<ConversionWebhook['answer']>;
type Converted = Parameters<Responder>[0]['request']['objects'][number];
interface Spec {
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly parts?: readonly { readonly name: string; readonly size?: number }[];
  readonly [field: string]: unknown;
}

/** Only the name moves. */
export const lossless: Responder = answering(kept);

export const conversions: { readonly [name: string]: Responder } = {
  lossy: answering((spec, target) => ({
    ...named(spec, target),
    ...(spec.parts === undefined ? {} : { parts: spec.parts.map(({ name, size }) => ({ name, size })) }),
    ...('tags' in spec ? { tags: spec['tags'] } : {}),
  })),
  relabelling: answering(kept, (target) => ({ labels: { seen: target }, annotations: { seen: target } })),
  adding: answering((spec, target) => ({
    ...kept(spec, target),
    ...(target === 'v1' ? { own: 'made', tags: ['made'] } : {}),
  })),
  misfitting: answering((spec, target) => ({ ...kept(spec, target), own: 7, numbers: ['x'], unknown: true })),
  'broken to v3': (review) =>
    review.request.desiredAPIVersion.endsWith('/v3') ? { code: 500, body: 'broken' } : lossless(review),
};

type SpecConversion = (spec: Spec, target: string) => object;

function answering(convert: SpecConversion, metadataOf: (target: string) => object = () => ({})): Responder {
  return ({ request: { uid, objects, desiredAPIVersion } }) => {
    const target = desiredAPIVersion.replace(/^.*\//, '');
    const convertedObjects = objects.map(({ spec, metadata, ...object }: Converted) => ({
      ...object,
      apiVersion: desiredAPIVersion,
      metadata: { ...metadata, ...metadataOf(target) },
      ...(spec === undefined ? {} : { spec: convert(spec, target) }),
    }));
    return { body: reviewOf({ uid, result: { status: 'Success' }, convertedObjects }) };
  };
}

function named({ name, title }: Spec, target: string): object {
  return { [target === 'v2' ? 'title' : 'name']: name ?? title ?? '' };
}

function kept({ name, title, ...fields }: Spec, target: string): object {
  return { ...fields, ...named({ name, title }, target) };
}
