/** The part of a Node stream that is used; the mark has no public setter. */
interface Reading {
  readonly _readableState: { highWaterMark: number };
}

/**
 * Makes a call's stream ask for one request at a time. Streams of objects keep sixteen ahead of a reader
 * that has paused, whatever their size: 64 MiB at the default limit of messages.
 */
export function readOneAhead(call: Reading): void {
  call._readableState.highWaterMark = 1;
}
