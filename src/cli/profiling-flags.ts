import type { ProfilingConfig, ServerConfig } from '../server/config.ts';
import { type BuiltFlag, flag, fileOf } from './flag.ts';
import { boolean, string } from './flag-types.ts';

/** Flags of profiles. */
export const profilingFlags: readonly BuiltFlag[] = [
  flag('contention-profiling', {
    type: boolean,
    help: 'no effect: JavaScript has no locks to contend for, so there are no profiles of them',
    set: () => ({}),
  }),
  flag('debug-socket-path', {
    type: string,
    help: 'Unix socket that serves profiles without authentication and authorization',
    set: (path, config) => profiling(config, { socketPath: fileOf(path) }),
  }),
  flag('profiling', {
    type: boolean,
    help: 'serve profiles at /debug/pprof/, in the format of pprof',
    set: (enabled, config) => profiling(config, { enabled }),
  }),
];

function profiling({ profiling: before }: ServerConfig, changes: Partial<ProfilingConfig>): Partial<ServerConfig> {
  return { profiling: { ...before, ...changes } };
}
