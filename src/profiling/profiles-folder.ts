/** Where profiles are served. */
export const profilesFolder = '/debug/pprof/';
