import { ConfigError } from '../api/errors/config-error.ts';
import { goQuote } from '../api/go/go-quote.ts';
import { type PluginRow, pluginTable } from './plugin-table.ts';
import { joinReasons } from './refusal.ts';

/** Deviations from the table's defaults, by plugin name. */
export interface PluginChoice {
  readonly enable: readonly string[];
  readonly disable: readonly string[];
}

/** Unknown or contradictory plugin names. Texts are the reference's. */
export class PluginChoiceError extends ConfigError {
  override readonly code = 'PLUGIN_CHOICE';
}

/** These and no others, in the order of the table. Throws a PluginChoiceError. */
export function pluginsNamed(names: readonly string[], table: readonly PluginRow[]): readonly PluginRow[] {
  const unknown = names.find((name) => !table.some((row) => row.name === name));
  if (unknown !== undefined) throw new PluginChoiceError(`admission-control plugin ${goQuote(unknown)} is unknown`);
  return table.filter(({ name }) => names.includes(name));
}

/** The enabled plugins in order. Throws a PluginChoiceError. */
export function chosenPlugins(
  { enable, disable }: PluginChoice,
  table: readonly PluginRow[] = pluginTable,
): readonly PluginRow[] {
  const isUnknown = (name: string): boolean => !table.some((row) => row.name === name);
  const both = enable.filter((name) => disable.includes(name)).sort();
  const errors = [
    ...enable.filter(isUnknown).map((name) => `enable-admission-plugins plugin ${goQuote(name)} is unknown`),
    ...disable.filter(isUnknown).map((name) => `disable-admission-plugins plugin ${goQuote(name)} is unknown`),
    ...(both.length === 0
      ? []
      : [`[${[...new Set(both)].join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`]),
  ];
  if (errors.length > 0) throw new PluginChoiceError(joinReasons(errors));
  return table.filter(
    ({ name, byDefault }) => enable.includes(name) || (byDefault === 'on' && !disable.includes(name)),
  );
}
