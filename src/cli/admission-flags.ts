import { pluginTable } from '../admission/plugin-table.ts';
import type { ServerConfig } from '../server/config.ts';
import { UsageError } from './errors.ts';
import { type BuiltFlag, flag, fileOf } from './flag.ts';
import { integer, string, strings } from './flag-types.ts';

const pluginNames = (): readonly string[] => pluginTable.map(({ name }) => name);

/** Flags of admission. */
export const admissionFlags: readonly BuiltFlag[] = [
  flag('admission-control', {
    type: strings,
    help: 'deprecated: all admission plugins to enable, of which none is by default then',
    set: (onlyPlugins, { admission }) => ({ admission: { ...admission, onlyPlugins } }),
  }),
  flag('admission-control-config-file', {
    type: string,
    help: 'file of an AdmissionConfiguration with the configuration of admission plugins',
    set: (file, { admission }) => ({
      admission: { ...admission, configFile: fileOf(file) },
    }),
  }),
  flag('default-not-ready-toleration-seconds', {
    type: integer,
    help: 'default toleration of not-ready nodes for pods without one, in seconds',
    set: (notReady, { admission }) => ({
      admission: { ...admission, tolerationSeconds: { ...admission.tolerationSeconds, notReady } },
    }),
  }),
  flag('default-unreachable-toleration-seconds', {
    type: integer,
    help: 'default toleration of unreachable nodes for pods without one, in seconds',
    set: (unreachable, { admission }) => ({
      admission: { ...admission, tolerationSeconds: { ...admission.tolerationSeconds, unreachable } },
    }),
  }),
  flag('disable-admission-plugins', {
    type: strings,
    help: 'admission plugins to disable that are enabled by default',
    values: pluginNames,
    set: (disablePlugins, { admission }) => ({ admission: { ...admission, disablePlugins } }),
  }),
  flag('enable-admission-plugins', {
    type: strings,
    help: 'admission plugins to enable in addition to the default ones; their order is fixed',
    values: pluginNames,
    set: (enablePlugins, { admission }) => ({ admission: { ...admission, enablePlugins } }),
  }),
];

export function checkAdmission({ onlyPlugins, enablePlugins, disablePlugins }: ServerConfig['admission']): void {
  if (onlyPlugins === undefined || enablePlugins.length + disablePlugins.length === 0) return;
  throw new UsageError(
    'admission-control and enable-admission-plugins/disable-admission-plugins flags are mutually exclusive',
  );
}
