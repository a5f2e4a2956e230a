import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { type RpcServer, transportOf } from './rpc-server.js';

/** How messages reach a server, as far as the host can end that. */
export interface Intake {
  /** Resolves once no new message reaches a handler, or immediately if that cannot be achieved. */
  stop(): Promise<unknown>;
  /** Resolves once the answers that were written have left. */
  flush(): Promise<unknown>;
}

/** A transport whose intake can be stopped only by closing it. */
const UNTIL_CLOSED: Intake = { stop: async () => {}, flush: async () => {} };

/** The part of a subscribing client of ioredis that is used. */
interface Subscriber {
  readonly status: string;
  unsubscribe(): Promise<unknown>;
  punsubscribe(): Promise<unknown>;
}

export function intakeOf(server: RpcServer): Intake {
  switch (transportOf(server)) {
    case 'TCP':
      return TcpIntake.of(server) ?? UNTIL_CLOSED;
    case 'Redis':
      return redisIntake(server);
    // Why: docs/decisions/0230
    case 'NATS':
    case 'MQTT':
    case 'RMQ':
    case 'Kafka':
    case 'gRPC':
    case null:
      return UNTIL_CLOSED;
  }
}

function redisIntake(server: RpcServer): Intake {
  return {
    async stop() {
      const subscriber = subscriberOf(server);
      // Without its connection it gets nothing, and would wait for the connection.
      if (subscriber?.status !== 'ready') return;
      await Promise.all([subscriber.unsubscribe(), subscriber.punsubscribe()]);
    },
    // Nest awaits each answer's publication.
    flush: async () => {},
  };
}

function subscriberOf(server: RpcServer): Subscriber | undefined {
  try {
    return (server.unwrap?.() as readonly Subscriber[] | undefined)?.[1];
  } catch {
    // It does not listen yet.
    return undefined;
  }
}

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
