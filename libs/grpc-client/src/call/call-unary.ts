import { Code } from '@apix/contracts';
import type { Message } from '@bufbuild/protobuf';
import type { CallFailure, AnswerTaker } from './call-failure.js';
import type { ClientCallOptions } from './call-options.js';
import { lateFailure } from './late-failure.js';
import type { MethodPlan } from './method-plan.js';
import { OngoingCall } from './ongoing-call.js';

/** Makes a call with one response. */
export function makeUnaryCall(
  plan: MethodPlan,
  request: unknown,
  options: ClientCallOptions = {},
): Promise<Message> {
  return new Promise((resolve) => {
    new SingleAnswer(plan, options, resolve).begin(request);
  });
}

class SingleAnswer implements AnswerTaker {
  readonly #plan: MethodPlan;
  readonly #call: OngoingCall;
  readonly #settle: (outcome: Message | Promise<never>) => void;
  #message: Message | undefined;

  constructor(
    plan: MethodPlan,
    options: ClientCallOptions,
    settle: (outcome: Message | Promise<never>) => void,
  ) {
    this.#plan = plan;
    this.#call = new OngoingCall(plan, options, this);
    this.#settle = settle;
  }

  begin(request: unknown): void {
    this.#call.read();
    this.#call.begin(request);
  }

  onMessage(message: Message): void {
    if (this.#message === undefined) {
      this.#message = message;
      // Otherwise the status would wait behind a second one for as long as the deadline allows.
      this.#call.read();
    } else this.#call.cancel(broken('the server sent a second response'));
  }

  onLost(): void {
    this.#message = undefined;
  }

  onEnd(failure: CallFailure | undefined): void {
    if (failure !== undefined) this.#fail(failure);
    else if (this.#message === undefined) this.#fail(broken('the server sent no response'));
    else this.#settle(this.#message);
  }

  #fail(failure: CallFailure): void {
    const { method, channel } = this.#plan;
    this.#settle(lateFailure(failure, { path: method.fullName, target: channel.target }));
  }
}

/** A server that does not keep to the method's kind: UNIMPLEMENTED, as gRPC has it. */
function broken(why: string): CallFailure {
  return { by: 'client', code: Code.UNIMPLEMENTED, why };
}
