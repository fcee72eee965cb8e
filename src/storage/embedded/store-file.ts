/** The name of the database in a store's directory. */
export const storeFile = 'binnacle.db';
