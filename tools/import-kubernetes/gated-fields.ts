// Fields that exist only with a feature gate, from the `+featureGate` markers of the API types.
import type { SourcePackage } from './packages.ts';

/**
 * One field per line: `io.k8s.api.core.v1.PodSpec schedulingGroup GenericWorkload`; of several comma-separated gates,
 * all must be on.
 */
export function gatedFieldsTable(packages: ReadonlyMap<string, SourcePackage>): string {
  const lines: string[] = [];
  for (const { prefix, types } of packages.values()) {
    for (const [name, type] of types) {
      if (type.form !== 'struct') continue;
      for (const { markers, tags } of type.fields) {
        const gates = markers.flatMap((marker) => /^featureGate=(.*)$/.exec(marker)?.[1]?.split(/[, ]+/) ?? []);
        const [field = ''] = (tags['json'] ?? '').split(',');
        if (gates.length > 0 && field !== '') lines.push(`${prefix}.${name} ${field} ${gates.join(',')}`);
      }
    }
  }
  return lines.sort().join('\n');
}
