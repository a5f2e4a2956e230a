import type { WorkOrigin } from '@apix/contracts';
import type { ExecutionContext } from '@nestjs/common';
import { routeOf } from '../../messages/route-of.js';

/** The metadata of `@MessagePattern` and `@EventPattern`: a list of patterns. */
export const PATTERN_METADATA = 'microservices:pattern';

/** The features by which the contexts of Nest's transports differ. */
const SYSTEMS = {
  getPartition: 'kafka',
  getChannelRef: 'rabbitmq',
  getSubject: 'nats',
  getPacket: 'mqtt',
  getSocketRef: 'tcp',
  getChannel: 'redis',
} as const;

/** Where the contexts of Nest's transports keep the destination of a message. */
const ADDRESSES = ['getTopic', 'getSubject', 'getChannel', 'getPattern'] as const;

type Asked = (typeof ADDRESSES)[number];

/** From where a message has come to a handler of a transport of Nest. */
export function originOfMessage(context: ExecutionContext): WorkOrigin {
  const carrier: unknown = context.switchToRpc().getContext();
  return { system: systemOf(carrier), destination: destinationOf(context, carrier), carrier };
}

/** From where a message has come to a handler of a gateway. */
export function originOfSocketMessage(context: ExecutionContext): WorkOrigin {
  const socket = context.switchToWs();
  return { system: 'websocket', destination: socket.getPattern(), carrier: socket.getClient() };
}

function systemOf(carrier: unknown): string | undefined {
  if (typeof carrier !== 'object' || carrier === null) return undefined;
  for (const [method, system] of Object.entries(SYSTEMS)) if (method in carrier) return system;
  return undefined;
}

/** The pattern of the handler, as it was registered; where it has several, the one that was meant. */
function destinationOf(context: ExecutionContext, carrier: unknown): string | undefined {
  const patterns: unknown = Reflect.getMetadata(PATTERN_METADATA, context.getHandler());
  if (!Array.isArray(patterns) || patterns.length === 0) return undefined;
  const routes = patterns.map((pattern) => routeOf(pattern));
  if (routes.length === 1) return routes[0];
  const address = addressOf(carrier);
  return routes.find((route) => route === address) ?? routes[0];
}

function addressOf(carrier: unknown): unknown {
  const asked = (carrier ?? {}) as Partial<Record<Asked, () => unknown>>;
  const method = ADDRESSES.find((name) => typeof asked[name] === 'function');
  return method === undefined ? undefined : asked[method]?.();
}
