import { applyMediaType } from '../../patch/apply-patch.ts';
import { cborSequence, cborSerializer } from '../../codec/cbor-serializer.ts';
import { protobufSerializer } from '../../codec/protobuf-serializer.ts';
import type { Serializer } from '../../codec/serializer.ts';
import { serializers } from '../../codec/serializers.ts';

/** What a server speaks: all lists are in the order in which errors tell them. */
export interface MediaTypes {
  /** Of bodies; the first is the default. */
  readonly serializers: readonly Serializer[];
  /** Of answers, the default first. */
  readonly objects: readonly string[];
  /** Those of them that have a form for streams of events. */
  readonly streams: readonly string[];
  /** What each of `streams` is called where it is told. */
  readonly streamNames: readonly string[];
  /** What the route of a collection offers. */
  readonly collections: readonly string[];
  /** Of the bodies of applies. */
  readonly applies: readonly string[];
}

/** What a stream of events calls itself, where that is not the type of an object. */
export const streamTypes: ReadonlyMap<string, string> = new Map([
  [protobufSerializer.mediaType, `${protobufSerializer.mediaType};stream=watch`],
  [cborSerializer.mediaType, cborSequence],
]);

export const applyCbor = 'application/apply-patch+cbor';

const streamed: readonly string[] = ['application/json', protobufSerializer.mediaType, cborSerializer.mediaType];

/** `withCbor` is the state of the feature gate `CBORServingAndStorage`. */
export function mediaTypes({ withCbor }: { readonly withCbor: boolean }): MediaTypes {
  const all = withCbor ? [...serializers, cborSerializer] : serializers;
  const objects = all.filter((serializer) => serializer.render !== undefined).map(({ mediaType }) => mediaType);
  const streams = objects.filter((mediaType) => streamed.includes(mediaType));
  const streamNames = streams.map((type) =>
    type === cborSerializer.mediaType ? cborSequence : `${type};stream=watch`,
  );
  return {
    serializers: all,
    objects,
    streams,
    streamNames,
    collections: [...objects, ...streamNames],
    applies: withCbor ? [applyMediaType, applyCbor] : [applyMediaType],
  };
}
