/** Waits, one turn of the event loop after another, until something holds; no longer than the test may take. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
