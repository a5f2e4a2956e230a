import { Code } from '@apix/contracts';
import type { Message } from '@bufbuild/protobuf';
import { type CallFailure, errorOf } from './call-failure.js';
import type { ClientCallOptions } from './call-options.js';
import type { MethodPlan } from './method-plan.js';
import { type AnswerTaker, OngoingCall } from './ongoing-call.js';

/** What a call with one response came to. */
type SingleOutcome = { readonly message: Message } | { readonly failure: CallFailure };

/** Makes a call with one response. */
export async function makeUnaryCall(
  plan: MethodPlan,
  request: unknown,
  options: ClientCallOptions = {},
): Promise<Message> {
  const outcome = await new Promise<SingleOutcome>((resolve) => {
    new SingleAnswer(plan, options, resolve).begin(request);
  });
  if ('message' in outcome) return outcome.message;
  // Made here, so that its stack names those who wait for it.
  throw errorOf(outcome.failure, { path: plan.method.fullName, target: plan.channel.target });
}

class SingleAnswer implements AnswerTaker {
  readonly #call: OngoingCall;
  readonly #done: (outcome: SingleOutcome) => void;
  #message: Message | undefined;

  constructor(
    plan: MethodPlan,
    options: ClientCallOptions,
    done: (outcome: SingleOutcome) => void,
  ) {
    this.#call = new OngoingCall(plan, options, this);
    this.#done = done;
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
    if (failure !== undefined) this.#done({ failure });
    else if (this.#message !== undefined) this.#done({ message: this.#message });
    else this.#done({ failure: broken('the server sent no response') });
  }
}

/** A server that does not keep to the method's kind: UNIMPLEMENTED, as gRPC has it. */
function broken(why: string): CallFailure {
  return { by: 'client', code: Code.UNIMPLEMENTED, why };
}
