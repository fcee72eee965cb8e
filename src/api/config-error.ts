/** A configuration that no server can start with; the message is for whoever wrote it. */
export class ConfigError extends Error {
  override readonly name: string = 'ConfigError';
  readonly code: string = 'CONFIG';
}
