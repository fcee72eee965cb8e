/** The text of a file for `--tracing-config-file`. */
export function tracingConfiguration(fields: object): string {
  return JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'TracingConfiguration', ...fields });
}
