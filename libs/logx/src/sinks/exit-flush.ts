interface Flushable {
  flushSync(): void;
}

const open = new Set<Flushable>();

/** Set when exit handlers have started to run: later events must be written at once. */
export const exit = { hasBegun: false };

/**
 * Flushes the sink when the process exits: at its natural end, by `process.exit`, after an uncaught
 * exception or by a signal whose handler exits. The returned function unregisters it.
 */
export function flushAtExit(sink: Flushable): () => void {
  if (open.size === 0) process.on('exit', flushAll);
  open.add(sink);
  return () => {
    open.delete(sink);
    if (open.size === 0) process.off('exit', flushAll);
  };
}

function flushAll(): void {
  exit.hasBegun = true;
  for (const sink of open) sink.flushSync();
}
