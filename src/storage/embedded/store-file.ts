/** The name of the database in a store's directory. */
export const storeFile = 'binnacle.db';

/** Beside it: what is known to be on the disk. */
export const markFile = 'binnacle.acknowledged';

/** In a path's place: a database in memory that is gone with its thread. */
export const inMemoryPath = ':memory:';
