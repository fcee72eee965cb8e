/** Cost limit of one evaluation, in the reference's units. */
export const maxCallCost = 1_000_000;

/** Cost limit of all rules of an object together. */
export const maxObjectCost = 10_000_000;

/** Maximum length of a messageExpression's result, in bytes. */
export const maxMessageBytes = 5 * 1024;
