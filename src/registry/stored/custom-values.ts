import { decodeFreeMap } from '../../codec/cbor/decode.ts';
import { encodeCbor } from '../../codec/cbor/encode.ts';
import { selfDescribedPrefix } from '../../codec/cbor/major-types.ts';
import { parseStored } from '../../codec/stored-json.ts';
import { encodeForStorage } from '../../codec/stored-object.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Translation } from '../../storage/translated.ts';
import { plainValues, startsWith } from './stored-values.ts';

/**
 * Values of custom kinds in a store that has them in JSON or in CBOR. Those in the other one are written anew when
 * their object is.
 */
export function customValues(encoding: 'json' | 'cbor'): (kind: Pick<Resource, 'schema'>) => Translation {
  return (kind) => ({
    read(value) {
      const isCbor = startsWith(value, selfDescribedPrefix);
      const stale = isCbor === (encoding === 'json');
      return isCbor
        ? { value: encodeForStorage(kind.schema, decodeFreeMap(value)), stale }
        : { ...plainValues.read(value), stale };
    },
    write: (value) => (encoding === 'json' ? value : encodeCbor(undefined, parseStored(value).value)),
  });
}
