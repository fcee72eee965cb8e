/** Work, in units of a hundred-millionth of a seat for one second. Whole numbers, so that sums stay exact. */
export type SeatSeconds = number;

const unitsPerSecond = 100_000_000;
const unitsPerMs = unitsPerSecond / 1_000;

export function seatSeconds(seats: number, ms: number): SeatSeconds {
  return Math.round(seats * ms * unitsPerMs);
}

/** How long the work takes if so many seats do it. */
export function msPerSeat(work: SeatSeconds, seats: number): number {
  return work / seats / unitsPerMs;
}

export function secondsOf(work: SeatSeconds): number {
  return work / unitsPerSecond;
}

/** `12.00300000ss` */
export function seatSecondsText(work: SeatSeconds): string {
  const whole = Math.floor(work / unitsPerSecond);
  return `${whole}.${String(work - whole * unitsPerSecond).padStart(8, '0')}ss`;
}
