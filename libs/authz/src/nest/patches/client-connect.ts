import type { WebSocketAdapter } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';

type Connected = (...args: readonly unknown[]) => unknown;

interface Patched {
  /** What an app's own adapter may leave out, or have as something else. */
  readonly bindClientConnect?: (this: object, server: unknown, connected: Connected) => unknown;
}

/** The requests by which WebSockets were opened, as long as somebody holds the client. */
const requests = new WeakMap<object, unknown>();
const watched = new WeakSet<object>();

/**
 * Has the requests kept by which clients open their WebSockets. `ws` and Nest give them to
 * `handleConnection` of a gateway alone, which the app may not have, and no guard can ask for them.
 * Wraps `bindClientConnect` of the one adapter object that this app uses: what it binds gets the
 * same arguments as before. An adapter that cannot be changed stays as it is.
 */
// Why: docs/decisions/0222
export function keepUpgradeRequests(config: ApplicationConfig): void {
  const get = config.getIoAdapter.bind(config);
  // Nest asks for it when it has read all modules, which is when an app has set its own.
  config.getIoAdapter = () => {
    const adapter = get();
    // None as long as the app has none, for all that its type says.
    if (adapter as WebSocketAdapter | undefined) watch(adapter);
    return adapter;
  };
}

/** What a client was connected with; undefined where no one said. */
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
