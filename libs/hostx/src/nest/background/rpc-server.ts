import type { Observable } from 'rxjs';
import { hasMethods } from '../optional-provider.js';

/** A handler as Nest registers it, with Nest's metadata. */
export type MessageHandler = (...args: unknown[]) => unknown;

/** An answer to a caller; the last one is marked. */
export interface AnswerPacket {
  readonly isDisposed?: boolean;
}

/** The part of a server of `@nestjs/microservices` that is used. */
export interface RpcServer {
  readonly transportId?: unknown;
  getHandlers(): ReadonlyMap<unknown, MessageHandler>;
  getHandlerByPattern(pattern: unknown): MessageHandler | null;
  send(answers: Observable<unknown>, respond: (packet: AnswerPacket) => unknown): unknown;
  unwrap?(): unknown;
}

/** In the order of Nest's enum Transport. */
const TRANSPORTS = ['TCP', 'Redis', 'NATS', 'MQTT', 'gRPC', 'RMQ', 'Kafka'] as const;

/** A transport of Nest; null for one of the app's own. */
export type TransportName = (typeof TRANSPORTS)[number];

/** Whether this is a server that can be followed; that of gRPC drains its calls itself. */
export function isMessageServer(target: unknown): target is RpcServer & object {
  return (
    typeof target === 'object' &&
    target !== null &&
    transportOf(target) !== 'gRPC' &&
    hasMethods(target, 'getHandlers', 'getHandlerByPattern', 'send')
  );
}

/** As OpenTelemetry's conventions call a transport, as far as they do. */
const SYSTEMS: Readonly<Record<TransportName, string>> = {
  TCP: 'tcp',
  Redis: 'redis',
  NATS: 'nats',
  MQTT: 'mqtt',
  gRPC: 'grpc',
  RMQ: 'rabbitmq',
  Kafka: 'kafka',
};

/**
 * The system that delivers the messages of a server, for work scopes; undefined for the app's own
 * transport.
 */
export function systemOf(server: Pick<RpcServer, 'transportId'>): string | undefined {
  const transport = transportOf(server);
  return transport === null ? undefined : SYSTEMS[transport];
}

export function transportOf({ transportId }: Pick<RpcServer, 'transportId'>): TransportName | null {
  return typeof transportId === 'number' ? (TRANSPORTS[transportId] ?? null) : null;
}
