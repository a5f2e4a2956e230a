import { replaceOn } from '@apix/contracts/internal';
import type { ApplicationConfig } from '@nestjs/core';
import type { FollowedWork } from '../../background/followed-work.js';
import type { WorkLedger } from '../../background/work-ledger.js';
import { turn } from '../../outcome.js';
import { followedHandler } from './message-handler.js';
import { hasMethods } from '../optional-provider.js';
import type { MessageHandler } from './rpc-server.js';
import type { WorkSource } from './work-source.js';

/** A handler of `@SubscribeMessage` as Nest binds it to each client. */
interface SocketHandler {
  readonly message: unknown;
  readonly callback: MessageHandler;
}

/** The part of a WebSocket adapter that is used, of Nest's or the app's own. */
interface SocketAdapter {
  bindMessageHandlers(
    client: unknown,
    handlers: readonly SocketHandler[],
    transform: unknown,
  ): unknown;
}

/** Messages that come over WebSockets, on `ws` and Socket.IO alike. */
export class SocketMessages implements WorkSource {
  readonly works: FollowedWork[] = [];
  readonly #ledger: WorkLedger;
  readonly #byMessage = new Map<string, FollowedWork>();
  readonly #known = new WeakSet<object>();

  /** @param config Nest asks it for the adapter when it has read all modules. */
  constructor(config: ApplicationConfig, ledger: WorkLedger) {
    this.#ledger = ledger;
    this.#watch(config.getIoAdapter());
    replaceOn(config, 'getIoAdapter', (get) => () => {
      const adapter = get.call(config);
      this.#watch(adapter);
      return adapter;
    });
  }

  /** Clients are disconnected when the messages under way have been answered. */
  async stopIntake(): Promise<void> {}

  /** Nest passes on the result of a handler some promises later. */
  finish(): Promise<void> {
    return turn();
  }

  /** @param adapter undefined as long as the app has none, despite its type */
  #watch(adapter: unknown): void {
    if (typeof adapter !== 'object' || adapter === null || this.#known.has(adapter)) return;
    this.#known.add(adapter);
    if (!hasMethods(adapter, 'bindMessageHandlers')) return;
    const socketAdapter = adapter as SocketAdapter;
    replaceOn(
      socketAdapter,
      'bindMessageHandlers',
      (bind) => (client, handlers, transform) =>
        bind.call(
          socketAdapter,
          client,
          handlers.map((handler) => ({ ...handler, callback: this.#follow(handler, client) })),
          transform,
        ),
    );
  }

  #follow({ message, callback }: SocketHandler, carrier: unknown): MessageHandler {
    const destination = String(message);
    const name = `WebSocket ${destination}`;
    let work = this.#byMessage.get(name);
    if (work === undefined) {
      work = this.#ledger.add({ name, kind: 'message', schedule: 'message' });
      this.#byMessage.set(name, work);
      this.works.push(work);
    }
    const origin = { system: 'websocket', destination, carrier };
    return followedHandler(callback, work, () => origin);
  }
}
