import type { Defaulters } from '../schema/defaulters.ts';
import { clusterDefaults } from './defaults/cluster.ts';
import { coreDefaults } from './defaults/core.ts';
import { workloadDefaults } from './defaults/workloads.ts';

/** What built-in types fill in where a client says nothing. */
export const builtInDefaults: Defaulters = { ...coreDefaults, ...workloadDefaults, ...clusterDefaults };
