import { type BuiltFlag, flag } from './flag.ts';
import { boolean, strings } from './flag-types.ts';

/** Where other components of a machine write their logs. */
const machineLogs = '/var/log';

/** Flags of what browsers and people may look at. */
export const observationFlags: readonly BuiltFlag[] = [
  flag('cors-allowed-origins', {
    type: strings,
    help: 'regular expressions for the origins whose pages may use the API from browsers, as //example\\.com(:|$)',
    set: (corsAllowedOrigins, { serving }) => ({ serving: { ...serving, corsAllowedOrigins } }),
  }),
  flag('enable-logs-handler', {
    type: boolean,
    help: `show the files of ${machineLogs} at /logs`,
    set: (enabled) => ({ logsFolder: enabled ? machineLogs : undefined }),
  }),
];
