/** A reading of the heap, taken right after a full collection. */
export interface HeapReading {
  /** Requests that were answered until then. */
  readonly requests: number;
  /** Bytes in use. */
  readonly bytes: number;
}

/**
 * Bytes by which the heap grew per request: the median of the slopes between all pairs of readings
 * (Theil and Sen), which one reading that is off does not move. 0 for fewer than two readings.
 */
export function bytesPerRequest(readings: readonly HeapReading[]): number {
  const slopes = readings.flatMap((from, index) =>
    readings
      .slice(index + 1)
      .filter(({ requests }) => requests > from.requests)
      .map((to) => (to.bytes - from.bytes) / (to.requests - from.requests)),
  );
  return slopes.length === 0 ? 0 : median(slopes);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
