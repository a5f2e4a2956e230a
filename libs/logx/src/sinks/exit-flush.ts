interface Flushable {
  flushSync(): void;
}

const open = new Set<Flushable>();
let exiting = false;

/**
 * Flushes the sink when the process exits: by itself, by `process.exit`, after an uncaught
 * exception or by a signal whose handler exits. The returned function takes it off the list.
 */
export function flushAtExit(sink: Flushable): () => void {
  if (open.size === 0) process.on('exit', flushAll);
  open.add(sink);
  return () => {
    open.delete(sink);
    if (open.size === 0) process.off('exit', flushAll);
  };
}

/** True once exit handlers run: what is logged from then on must be written at once. */
export function isExiting(): boolean {
  return exiting;
}

function flushAll(): void {
  exiting = true;
  for (const sink of open) sink.flushSync();
}
