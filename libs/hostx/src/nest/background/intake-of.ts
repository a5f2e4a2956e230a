import type { Intake } from './intake.js';
import { type RpcServer, transportOf } from './rpc-server.js';
import { TcpIntake } from './tcp-intake.js';

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
