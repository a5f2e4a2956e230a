import type { CallMethod, CallOutcome } from '@apix/contracts';
import type { BoundClientStage, ClientStage, OutgoingCall } from './client-stage.js';

/** The stages that are interested in one method, in their order. */
export class ClientChain {
  readonly #stages: readonly BoundClientStage[];
  readonly #responding: readonly BoundClientStage[];

  /** @param inner bound stages that come after these. Default: none. */
  constructor(
    stages: readonly ClientStage[],
    method: CallMethod,
    inner: readonly BoundClientStage[] = [],
  ) {
    this.#stages = [...stages.flatMap((stage) => stage.bind(method) ?? []), ...inner];
    this.#responding = this.#stages.filter((stage) => 'onResponse' in stage);
  }

  /** The same stages inside of others. */
  inside(outer: readonly ClientStage[], method: CallMethod): ClientChain {
    return new ClientChain(outer, method, this.#stages);
  }

  /** How many stages there are; see {@link enter}. */
  get length(): number {
    return this.#stages.length;
  }

  /** Passes the call to the stage at this place. */
  enter(place: number, call: OutgoingCall): void | Promise<void> {
    return this.#stages[place]!.onCall?.(call);
  }

  /** Tells those that let the call through that its response has begun. */
  respond(call: OutgoingCall): void {
    for (const stage of this.#responding) {
      try {
        stage.onResponse?.(call);
      } catch {
        // The others must still be called.
      }
    }
  }

  /** Tells those that let the call through, the last of them first, how it ended. */
  leave(entered: number, call: OutgoingCall, outcome: CallOutcome): void {
    for (let place = entered - 1; place >= 0; place -= 1) {
      try {
        this.#stages[place]!.onEnd?.(call, outcome);
      } catch {
        // The others must still be called.
      }
    }
  }
}
