/** File name of the database in a store's directory. */
export const storeFile = 'binnacle.db';

/** Beside it: the last revision known to be on disk. */
export const markFile = 'binnacle.acknowledged';

/** Path of an in-memory database, which ends with its thread. */
export const inMemoryPath = ':memory:';
