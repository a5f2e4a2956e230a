/** Some listener of the process, as Nest adds one to each signal. */
type Listener = (signal: NodeJS.Signals) => void;

/**
 * The listeners of a signal that `enableShutdownHooks()` has added with its default list: one
 * function for all signals. Those of the app itself, and of a list that the app gave, are not meant.
 */
function ofShutdownHooks(signal: NodeJS.Signals): Listener[] {
  const ending = process.listeners('SIGTERM') as Listener[];
  const listeners = process.listeners(signal) as Listener[];
  return listeners.filter((one) => one.name === 'cleanup' && ending.includes(one));
}

/** Whether Nest's shutdown hooks close the app because of a signal, and end the process. */
export function hasShutdownHooks(signal: NodeJS.Signals): boolean {
  return ofShutdownHooks(signal).length > 0;
}

/**
 * Has SIGHUP reload the host alone: Nest's shutdown hooks take it for the end. The returned
 * function gives it back to those that are still there.
 */
export function withoutHangup(): () => void {
  const taken = ofShutdownHooks('SIGHUP');
  for (const one of taken) process.off('SIGHUP', one);
  return () => {
    const ending = process.listeners('SIGTERM') as Listener[];
    for (const one of taken) if (ending.includes(one)) process.on('SIGHUP', one);
  };
}

/**
 * Reports SIGQUIT before Nest's shutdown hooks close the app because of it, since they do not report the
 * signal; if they do not listen for it, neither does this. The returned function ends that.
 */
export function onQuit(tell: (signal: NodeJS.Signals) => void): () => void {
  if (ofShutdownHooks('SIGQUIT').length === 0) return () => {};
  process.prependListener('SIGQUIT', tell);
  return () => void process.off('SIGQUIT', tell);
}
