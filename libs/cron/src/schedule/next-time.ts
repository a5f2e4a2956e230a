import type { ZoneOffsets } from './zone-offsets.js';

/** How long before a moment a change of the clocks can matter to it, in minutes. */
const REACH = 2 * 1440;

/** The first match strictly after a minute of local time; null if there are no more. */
export type NextLocal = (local: number) => number | null;

/**
 * The first minute after `after` at which an interval is due: whenever the local time matches, so not at
 * all in a gap and twice in an overlap.
 */
export function nextShown(zone: ZoneOffsets, next: NextLocal, after: number): number | null {
  for (let at = after; ;) {
    const { to, offset } = zone.stretchAt(at + 1);
    const local = next(at + offset);
    if (local === null) return null;
    if (local - offset < to) return local - offset;
    at = to - 1;
  }
}

/**
 * The first minute after `after` at which a fixed time is due: when the local time reaches or passes a
 * match for the first time, so once at the end of a gap, and at the first match in an overlap.
 */
export function nextReached(zone: ZoneOffsets, next: NextLocal, after: number): number | null {
  let reached = reachedBy(zone, after);
  for (let at = after; ;) {
    const { from, to, offset } = zone.stretchAt(at + 1);
    const local = next(reached);
    if (local === null) return null;
    const due = Math.max(local - offset, from, at + 1);
    if (due < to) return due;
    reached = Math.max(reached, to - 1 + offset);
    at = to - 1;
  }
}

/** The latest local time that the clock on the wall has shown by now. */
function reachedBy(zone: ZoneOffsets, now: number): number {
  let stretch = zone.stretchAt(now);
  let reached = now + stretch.offset;
  while (stretch.from > now - REACH) {
    const last = stretch.from - 1;
    stretch = zone.stretchAt(last);
    reached = Math.max(reached, last + stretch.offset);
  }
  return reached;
}
