import { replaceOn } from '@apix/contracts/internal';
import type { FollowedWork } from '../../background/followed-work.js';
import type { WorkLedger } from '../../background/work-ledger.js';
import { turn } from '../../outcome.js';
import { intakeOf } from './intake.js';
import type { Intake } from './intake.js';
import { followedHandler } from './message-handler.js';
import {
  type AnswerPacket,
  type MessageHandler,
  type RpcServer,
  systemOf,
  transportOf,
} from './rpc-server.js';
import type { WorkSource } from './work-source.js';

/** One server of `@nestjs/microservices`, of any transport but gRPC. */
export class MessageServer implements WorkSource {
  readonly works: FollowedWork[] = [];
  readonly #server: RpcServer;
  readonly #ledger: WorkLedger;
  readonly #intake: Intake;
  readonly #followed = new WeakMap<MessageHandler, MessageHandler>();
  readonly #answers = new Set<Promise<void>>();

  constructor(server: RpcServer & object, ledger: WorkLedger) {
    this.#server = server;
    this.#ledger = ledger;
    this.#intake = intakeOf(server);
    // Why: docs/decisions/0230
    replaceOn(server, 'getHandlerByPattern', (find) => (pattern) => {
      const handler = find.call(server, pattern);
      return handler === null || handler === undefined ? handler : this.#follow(handler);
    });
    replaceOn(
      server,
      'send',
      (send) => (answers, respond) => send.call(server, answers, this.#untilLast(respond)),
    );
  }

  stopIntake(): Promise<unknown> {
    return this.#intake.stop();
  }

  /** Waits until the answers are with the transport. */
  async finish(): Promise<void> {
    // Nest passes on the result of a handler some promises later.
    await turn();
    await Promise.all(this.#answers);
    await this.#intake.flush();
  }

  #follow(handler: MessageHandler): MessageHandler {
    const known = this.#followed.get(handler);
    if (known !== undefined) return known;
    const destination = this.#patternOf(handler);
    const system = systemOf(this.#server);
    const work = this.#ledger.add({
      name: `${transportOf(this.#server) ?? 'message'} ${destination}`,
      kind: 'message',
      schedule: 'message',
    });
    this.works.push(work);
    const followed = followedHandler(handler, work, ([, carrier]) => ({
      system,
      destination,
      carrier,
    }));
    this.#followed.set(handler, followed);
    return followed;
  }

  /** As it was registered: what callers send may be anything that a wildcard matches. */
  #patternOf(handler: MessageHandler): string {
    for (const [pattern, registered] of this.#server.getHandlers()) {
      if (registered === handler) return String(pattern);
    }
    return handler.name;
  }

  #untilLast(respond: (answer: AnswerPacket) => unknown): (answer: AnswerPacket) => Promise<void> {
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    this.#answers.add(ended);
    return async (answer) => {
      try {
        await respond(answer);
      } finally {
        if (answer.isDisposed === true) {
          this.#answers.delete(ended);
          end();
        }
      }
    };
  }
}
