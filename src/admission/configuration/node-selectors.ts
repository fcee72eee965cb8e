import { isJsonObject } from '../../api/json/json.ts';
import { type PluginConfiguration, readUnversioned } from './plugin-document.ts';

/** Selectors of nodes by namespace, as text. */
export function readNodeSelectors(configuration: PluginConfiguration): Readonly<Record<string, string>> {
  const selectors = readUnversioned(configuration)['podNodeSelectorPluginConfig'];
  const entries = isJsonObject(selectors) ? Object.entries(selectors) : [];
  return Object.fromEntries(entries.map(([namespace, text]) => [namespace, typeof text === 'string' ? text : '']));
}
