/**
 * Values of flags that are not built which only state what Binnacle does anyway, as pflag prints them: those
 * that turn off what is not built. By name.
 */
export const mootValues: Readonly<Record<string, string>> = {
  'tracing-config-file': '',
};
