/** Revisions that are kept where nothing else is said. */
export const historyLimit = 10;
