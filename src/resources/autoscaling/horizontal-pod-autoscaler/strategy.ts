import type { KubernetesObject } from '../../../api/meta/object.ts';
import type { Strategy } from '../../../registry/kinds/strategy.ts';
import type { KindEnvironment } from '../../kind-environment.ts';
import { withoutCarried } from './conversion.ts';

export function autoscalerStrategy({ featureGates }: KindEnvironment): Strategy {
  return { generation: featureGates.get('HPAGeneration') === false ? 'none' : 'spec', normalize: dropCarried };
}

/** Annotations for fields that v1 lacks are generated again on every read of v1. */
function dropCarried({ metadata }: KubernetesObject): void {
  if (metadata.annotations === undefined) return;
  const annotations = withoutCarried(metadata.annotations);
  if (Object.keys(annotations).length > 0) metadata.annotations = annotations;
  else delete metadata.annotations;
}
