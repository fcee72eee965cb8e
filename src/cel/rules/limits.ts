/** What one evaluation may cost, in the reference's units. */
export const maxCallCost = 1_000_000;

/** What all rules of an object may cost together. */
export const maxObjectCost = 10_000_000;

/** Bytes of a message that an expression makes. */
export const maxMessageBytes = 5 * 1024;
