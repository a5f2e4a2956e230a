/** How many different reasons of refused events one report names. */
const MAX_REASONS = 3;

/** `2 of 5 events refused: 2 × HTTP 400, …`, with the reason of each refused event. */
export function refusedText(reasons: readonly string[], events: number): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const named = [...counts].slice(0, MAX_REASONS).map(([reason, count]) => `${count} × ${reason}`);
  if (counts.size > MAX_REASONS) named.push('…');
  const all = events === 1 ? '1 event' : `${events} events`;
  return `${reasons.length} of ${all} refused: ${named.join('; ')}`;
}
