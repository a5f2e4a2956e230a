import type { Deadline } from '@apix/contracts';
import type { Server } from '@grpc/grpc-js';

/**
 * Lets the calls under way end, and refuses new ones; whatever is left at the deadline is ended.
 *
 * @throws Error when something was left.
 */
export async function drain(server: Server, deadline: Deadline): Promise<void> {
  const finished = new Promise<void>((resolve, reject) => {
    server.tryShutdown((error) => (error ? reject(error) : resolve()));
  });
  const late = new Promise<'late'>((resolve) => {
    if (deadline.signal.aborted) resolve('late');
    else deadline.signal.addEventListener('abort', () => resolve('late'), { once: true });
  });
  if ((await Promise.race([finished, late])) !== 'late') return;
  server.forceShutdown();
  throw new Error('grpc: graceful shutdown timed out; the calls under way were cut off', {
    cause: deadline.signal.reason,
  });
}
