/** Bytes of a request body, as the reference has it. */
export const maxBodyBytes = 3 * 1024 * 1024;
