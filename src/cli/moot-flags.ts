/**
 * Values of flags that are not built which only state what Binnacle does anyway, as pflag prints them: hardened
 * configurations turn off profiling, and test clusters the limits of requests. By name.
 */
export const mootValues: Readonly<Record<string, string>> = {
  'contention-profiling': 'false',
  'debug-socket-path': '',
  'goaway-chance': '0',
  'permit-address-sharing': 'false',
  'permit-port-sharing': 'false',
  profiling: 'false',
  'shutdown-send-retry-after': 'false',
  'tracing-config-file': '',
};
