/** An invalid configuration; the message is for the operator. */
export class ConfigError extends Error {
  override readonly name: string = 'ConfigError';
  readonly code: string = 'CONFIG';
}
