import { type AddressInfo, createServer } from 'node:net';
import { setting } from '../settings.js';

/** Token of the port of payments on this machine. */
export const PAYMENTS_PORT = Symbol('PaymentsPort');

/** PAYMENTS_PORT, or a free port for as long as the shop runs: payments come back to where they were. */
export async function paymentsPort(): Promise<number> {
  const chosen = Number(setting('PAYMENTS_PORT') ?? 0);
  if (chosen !== 0) return chosen;
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
