/** Tells the parent the port, and the CPU time whenever it asks; ends with it. */
export function serving(port: number): void {
  process.send!({ port });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send!({ cpuMs: (user + system) / 1_000 });
  });
  process.on('disconnect', () => process.exit());
}
