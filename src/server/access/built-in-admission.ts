import { admissionMetrics } from '../../admission/admission-metrics.ts';
import { admissionChain } from '../../admission/chain.ts';
import { chosenPlugins, pluginsNamed } from '../../admission/plugin-choice.ts';
import type { PluginContext } from '../../admission/plugin-context.ts';
import type { PluginRow } from '../../admission/plugin-table.ts';
import type { Admission } from '../../api/contracts/admission.ts';
import type { AdmissionConfig } from '../config.ts';

/** The plugins enabled by the configuration. Throws a ConfigError. */
export function pluginsByConfig(
  table: readonly PluginRow[],
  { enablePlugins, disablePlugins, onlyPlugins }: AdmissionConfig,
): readonly PluginRow[] {
  if (onlyPlugins !== undefined) return pluginsNamed(onlyPlugins, table);
  return chosenPlugins({ enable: enablePlugins, disable: disablePlugins }, table);
}

/** Runs the plugins that are implemented. */
export async function builtInAdmission(plugins: readonly PluginRow[], context: PluginContext): Promise<Admission> {
  const made = await Promise.all(plugins.map(async ({ make }) => make?.(context)));
  return admissionChain(
    made.filter((plugin) => plugin !== undefined),
    admissionMetrics(context),
  );
}
