import type { Server } from 'node:http';
import type { Gateway } from '@apix/gateway/core';

/** Sends WebSockets to the current gateway; those of earlier gateways stay open until they end. */
export class Upgrades {
  readonly #gateways = new Set<Gateway>();
  #server: Server | undefined;
  #stop = (): void => {};

  /** Serves the WebSockets of a server that does not listen yet. */
  attach(server: Server, gateway: Gateway | undefined): void {
    this.#server = server;
    server.once('close', () => this.#stop());
    if (gateway !== undefined) this.follow(gateway);
  }

  /** Sends new WebSockets to this gateway. */
  follow(gateway: Gateway): void {
    if (this.#server === undefined) return;
    this.#stop();
    for (const before of this.#gateways) {
      if (before.counts.active === 0) this.#gateways.delete(before);
    }
    this.#gateways.add(gateway);
    this.#stop = gateway.serveUpgrades(this.#server);
  }

  /** Asks all clients to disconnect; resolves when they have. */
  async close(): Promise<void> {
    await Promise.all([...this.#gateways].map((gateway) => gateway.closeWebSockets()));
  }
}
