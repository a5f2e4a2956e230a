/** Tells the parent the port, once it is bound. */
export function announce(server: { address(): unknown }): void {
  const { port } = server.address() as { port: number };
  process.stdout.write(`${JSON.stringify({ port })}\n`);
}
