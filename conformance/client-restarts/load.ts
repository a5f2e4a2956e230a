import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, channelOf, createClient } from '@apix/grpc-client/core';
import type { ProbeService } from '../../libs/grpc-client/src/client/probe-service.fixture.js';
import type { Hop, Stack } from './hop.js';
import { Ledger } from './ledger.js';
import { Probe } from './probe.js';

const CALLERS = 8;
const THINK_MS = 10;

/** Callers of a first process, of both kinds of calls. */
export class Load {
  readonly idempotent: Ledger;
  readonly once: Ledger;
  readonly #client: Client<ProbeService>;
  readonly #working: Promise<unknown>;
  #isStopped = false;

  /** @param stack that of the first process, with which every id begins. */
  constructor({ port }: Pick<Hop, 'port'>, stack: Stack) {
    this.idempotent = new Ledger(`${stack}-idempotent`);
    this.once = new Ledger(`${stack}-once`);
    // A alone tries again; what it gives up is counted here.
    this.#client = createClient(Probe, { endpoint: `127.0.0.1:${port}`, timeout: '5m' });
    this.#working = Promise.all(
      Array.from({ length: CALLERS }, () => [
        this.#call(this.idempotent, (stringValue) => this.#client.unary({ stringValue })),
        this.#call(this.once, (stringValue) => this.#client.clientStream([{ stringValue }])),
      ]).flat(),
    );
  }

  had(id: string): void {
    for (const ledger of [this.idempotent, this.once]) {
      if (id.startsWith(ledger.kind)) ledger.had(id);
    }
  }

  /** Lets what is under way end, and no more begin. */
  async finish(): Promise<void> {
    this.#isStopped = true;
    await this.#working;
    await channelOf(this.#client).close();
  }

  async #call(
    ledger: Ledger,
    make: (text: string) => Promise<{ readonly stringValue: string }>,
  ): Promise<void> {
    while (!this.#isStopped) {
      const id = ledger.nextId();
      try {
        const { stringValue } = await make(id);
        if (stringValue === id) ledger.answered(id);
        else ledger.failed(id, 'the answer to another call');
      } catch (error) {
        ledger.failed(id, (error as Error).message);
      }
      await sleep(Math.random() * THINK_MS);
    }
  }
}
