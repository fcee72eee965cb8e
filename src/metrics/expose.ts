import { type ExposedMetric, type Exposition, textOfMetrics } from './exposition.ts';
import type { ExpositionFormat } from './exposition-format.ts';

/** The metrics in a format. `withNative`: those that have native buckets show them where the format can. */
export async function exposedAs(
  { kind, contentType }: ExpositionFormat,
  metrics: readonly ExposedMetric[],
  withNative: boolean,
): Promise<Exposition> {
  if (kind === 'text') return { contentType, body: await textOfMetrics(metrics) };
  const { protobufOf } = await import('./protobuf-exposition.ts');
  return { contentType, body: await protobufOf(metrics, withNative) };
}
