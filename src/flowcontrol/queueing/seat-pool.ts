/** The seats of a level that several threads share, as one of them sees them. */
export interface SeatPool {
  /** Seats that all threads have taken. */
  readonly inUse: number;
  /** Seats of the level, as the first thread has divided them; undefined: it has not yet. */
  readonly limit: number | undefined;
  /** Whether requests of other threads wait for seats. */
  readonly othersWait: boolean;
  /**
   * Takes seats within a limit; false if there are too few, or another thread is next. What needs more than there are
   * gets them when nobody has any.
   */
  take(seats: number, limit: number): boolean;
  /** Takes seats whatever the limit is. */
  add(seats: number): void;
  give(seats: number): void;
  /** Whether requests of this thread wait, which then gets its turn; true if it has begun to. */
  setWaiting(isWaiting: boolean): boolean;
  /** Called when it may be this thread's turn. */
  onTurn: () => void;
}
