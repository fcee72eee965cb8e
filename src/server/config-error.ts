/** A configuration that no server can start with; the message is for whoever wrote it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Runs `read`; an error of class `known` becomes a ConfigError with the same message. */
export function asConfigError<T>(known: new (...args: never[]) => Error, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof known ? new ConfigError(error.message, { cause: error }) : error;
  }
}
