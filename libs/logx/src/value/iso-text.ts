const DAY = 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;
const SECOND = 1_000;
/** The length of `18:00:00.000Z`. */
const CLOCK_LENGTH = 13;

const TWO_DIGITS = Array.from({ length: 60 }, (_, i) => String(i).padStart(2, '0'));

let lastDay = NaN;
let dayText = '';

/**
 * The text of `toISOString` for a valid time. The day is kept, as times that are logged are often of the
 * same one: to write it takes the engine most of the time.
 */
export function isoText(time: number): string {
  const day = Math.floor(time / DAY);
  if (day !== lastDay) {
    dayText = new Date(day * DAY).toISOString().slice(0, -CLOCK_LENGTH);
    lastDay = day;
  }
  const ofDay = time - day * DAY;
  const hours = TWO_DIGITS[Math.floor(ofDay / HOUR)]!;
  const minutes = TWO_DIGITS[Math.floor(ofDay / MINUTE) % 60]!;
  const seconds = TWO_DIGITS[Math.floor(ofDay / SECOND) % 60]!;
  const ms = ofDay % SECOND;
  const zeros = ms < 10 ? '00' : ms < 100 ? '0' : '';
  return `${dayText}${hours}:${minutes}:${seconds}.${zeros}${ms}Z`;
}
