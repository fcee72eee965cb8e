import { formatApiVersion } from '../../api/meta/group-version.ts';
import type { Resource } from '../../schema/resource.ts';
import type { PlainCodec } from './stored-object.ts';
import { storedVersion } from './stored-version.ts';

/**
 * The stored form of a kind of which objects are stored in several versions that only a webhook can make one: each is
 * read by the schema of its own, and converted where somebody can wait for it.
 */
export function mixedCodec(
  { stored, versions }: { readonly stored: Resource; readonly versions: readonly Resource[] },
  codecOf: (version: Resource) => PlainCodec,
): PlainCodec {
  const usual = codecOf(stored);
  const codecs = new Map(versions.map((each) => [formatApiVersion(each.group, each.version), codecOf(each)]));
  const codecFor = (apiVersion: string): PlainCodec => codecs.get(apiVersion) ?? usual;
  return {
    encode: (object, read) => codecFor(object.apiVersion).encode(object, read),
    decode: (object, purpose) => codecFor(storedVersion(object.value)).decode(object, purpose),
  };
}
