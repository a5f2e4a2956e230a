import type { WebSocketAdapter } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';

type Connected = (...args: readonly unknown[]) => unknown;

interface Patched {
  /** The members that an app's own adapter may lack, or may have with another type. */
  readonly bindClientConnect?: (this: object, server: unknown, connected: Connected) => unknown;
}

/** The requests by which WebSockets were opened, as long as somebody holds the client. */
const requests = new WeakMap<object, unknown>();
const watched = new WeakSet<object>();

/**
 * Keeps the requests with which clients open their WebSockets. `ws` and Nest pass them only to
 * `handleConnection` of a gateway, which the app may not have, and guards cannot get them. Wraps
 * `bindClientConnect` of the one adapter object that this app uses: what it binds gets the same arguments
 * as before. An adapter that cannot be changed stays as it is.
 */
// Why: docs/decisions/0221
export function keepUpgradeRequests(config: ApplicationConfig): void {
  const get = config.getIoAdapter.bind(config);
  // Nest asks for it when it has read all modules, which is when an app has set its own.
  config.getIoAdapter = () => {
    const adapter = get();
    // Undefined as long as the app has none, despite its type.
    if (adapter as WebSocketAdapter | undefined) watch(adapter);
    return adapter;
  };
}

/** The request that a client connected with; undefined if it is not known. */
export function upgradeRequestOf(client: object): unknown {
  return requests.get(client);
}

function watch(adapter: object): void {
  const { bindClientConnect } = adapter as Patched;
  if (watched.has(adapter) || typeof bindClientConnect !== 'function') return;
  watched.add(adapter);
  const value: Patched['bindClientConnect'] = function (this: object, server, connected) {
    return bindClientConnect.call(this, server, (...args) => {
      const [client, request] = args;
      if (typeof client === 'object' && client !== null) requests.set(client, request);
      return connected(...args);
    });
  };
  Reflect.defineProperty(adapter, 'bindClientConnect', {
    value,
    configurable: true,
    writable: true,
  });
}
