import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import type { Intake } from './intake.js';
import type { RpcServer } from './rpc-server.js';

/**
 * The connections of Nest's TCP server. Its protocol cannot turn a client away, so the host stops reading:
 * a message that was not read has not begun, and its sender sees the connection close.
 */
export class TcpIntake implements Intake {
  readonly #sockets = new Set<Socket>();
  #isStopped = false;

  /** Null where the server does not show itself. */
  static of(server: RpcServer): TcpIntake | null {
    const net = server.unwrap?.();
    return net instanceof process.getBuiltinModule('node:net').Server ? new TcpIntake(net) : null;
  }

  private constructor(net: Server) {
    net.prependListener('connection', (socket: Socket) => this.#add(socket));
    net.prependListener('secureConnection', (socket: Socket) => this.#add(socket));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Ends each connection once everything written to it has been sent. */
  async flush(): Promise<void> {
    await Promise.all([...this.#sockets].map(ended));
  }

  #add(socket: Socket): void {
    // Closing the listener alone would have Nest listen again, where it has retryAttempts.
    if (this.#isStopped) return void socket.end();
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }
}

async function ended(socket: Socket): Promise<void> {
  if (socket.destroyed || socket.writableFinished) return;
  const finished = Promise.race([once(socket, 'finish'), once(socket, 'close')]);
  socket.end();
  await finished.catch(() => {});
}
