/** Tells the parent the port, and the CPU time or the memory in use whenever it asks; ends with it. */
export function serving(port: number): void {
  process.send!({ port });
  process.on('message', (question) => {
    if (question === 'memory') {
      globalThis.gc!();
      process.send!(process.memoryUsage());
      return;
    }
    const { user, system } = process.cpuUsage();
    process.send!({ cpuMs: (user + system) / 1_000 });
  });
  process.on('disconnect', () => process.exit());
}
