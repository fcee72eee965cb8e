import type { KubernetesObject } from '../../../api/meta/object.ts';
import type { Strategy } from '../../../registry/kinds/strategy.ts';
import { withoutCarried } from './conversion.ts';

export const autoscalerStrategy: Strategy = {
  generation: 'spec',
  normalize: dropCarried,
};

/** Annotations for fields that v1 lacks are generated again on every read of v1. */
function dropCarried({ metadata }: KubernetesObject): void {
  if (metadata.annotations === undefined) return;
  const annotations = withoutCarried(metadata.annotations);
  if (Object.keys(annotations).length > 0) metadata.annotations = annotations;
  else delete metadata.annotations;
}
