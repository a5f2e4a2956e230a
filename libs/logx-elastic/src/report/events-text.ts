/** `1 event`, `2 events`. */
export function eventsText(count: number): string {
  return `${count} ${count === 1 ? 'event' : 'events'}`;
}
