import { type BuiltFlag, flag, fileOf } from './flag.ts';
import { string } from './flag-types.ts';

/** Flags of traces. */
export const tracingFlags: readonly BuiltFlag[] = [
  flag('tracing-config-file', {
    type: string,
    help: 'file of a TracingConfiguration: the collector that traces of requests are sent to, and how many are traced',
    set: (file) => ({ tracingFile: fileOf(file) }),
  }),
];
