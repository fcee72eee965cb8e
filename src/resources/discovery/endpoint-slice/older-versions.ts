import { isJsonObject, type JsonObject } from '../../../api/json/json.ts';
import { type Change, eachOf } from '../../parts/conversions/changed.ts';

const zoneLabel = 'topology.kubernetes.io/zone';
const hostLabel = 'kubernetes.io/hostname';

export const sliceFromBeta1: Change = (slice) => eachOf(slice, 'endpoints', endpoint);

function endpoint({ topology, ...others }: JsonObject): JsonObject {
  if (!isJsonObject(topology)) return others;
  const { [zoneLabel]: zone, [hostLabel]: host, ...rest } = topology;
  const kept: JsonObject = host === undefined || host === others['nodeName'] ? rest : { ...rest, [hostLabel]: host };
  return {
    ...others,
    ...(zone === undefined ? {} : { zone }),
    ...(Object.keys(kept).length === 0 ? {} : { deprecatedTopology: kept }),
  };
}
