/** Installs and builds what is missing or out of date. */
export function prepare(): void;
