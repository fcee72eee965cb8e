/** The questions whose answers are recorded. */
export const recordedSeed = 1;
export const recordedCount = 1500;
