import { Code } from '@apix/contracts';
import type { Message } from '@bufbuild/protobuf';
import type { ResponseStream } from '../client/client-types.js';
import type { CallFailure, AnswerTaker } from './call-failure.js';
import type { ClientCallOptions } from './call-options.js';
import { lateFailure } from './late-failure.js';
import type { MethodPlan } from './method-plan.js';
import { OngoingCall } from './ongoing-call.js';

/** The result of a read. */
type StreamStep = IteratorResult<Message, undefined>;

const LEFT: CallFailure = {
  by: 'client',
  code: Code.CANCELLED,
  why: 'the reader left the stream of responses',
};

/** Begins a call with a stream of responses. */
export function makeStreamCall(
  plan: MethodPlan,
  request: unknown,
  options: ClientCallOptions = {},
): ResponseStream<Message> {
  const responses = new Responses(plan, options);
  responses.begin(request);
  return responses;
}

/** Responses at the pace of who reads them: each `next` asks the server for one. */
class Responses implements AnswerTaker, ResponseStream<Message> {
  readonly #plan: MethodPlan;
  readonly #call: OngoingCall;
  readonly #readers: ((step: StreamStep | Promise<never>) => void)[] = [];
  #isReading = false;
  #hasEnded = false;
  /** How the call ended, until a reader has got it. */
  #failure: CallFailure | undefined;

  constructor(plan: MethodPlan, options: ClientCallOptions) {
    this.#plan = plan;
    this.#call = new OngoingCall(plan, options, this);
  }

  begin(request: unknown): void {
    this.#call.begin(request);
  }

  next(): Promise<StreamStep> {
    return new Promise((resolve) => {
      if (this.#hasEnded) resolve(this.#lastStep());
      else {
        this.#readers.push(resolve);
        this.#read();
      }
    });
  }

  /** Like `break` in a `for await`: ends the call, and every `next` that still waits. */
  async return(): Promise<StreamStep> {
    this.#leave();
    return over();
  }

  async throw(error: unknown): Promise<StreamStep> {
    this.#leave();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  onMessage(message: Message): void {
    this.#isReading = false;
    this.#readers.shift()?.({ done: false, value: message });
    this.#read();
  }

  onEnd(failure: CallFailure | undefined): void {
    this.#hasEnded = true;
    this.#failure = failure;
    for (const reader of this.#readers.splice(0)) reader(this.#lastStep());
  }

  #read(): void {
    if (this.#isReading || this.#readers.length === 0) return;
    this.#isReading = true;
    this.#call.read();
  }

  /** A failure is reported once. */
  #lastStep(): StreamStep | Promise<never> {
    const failure = this.#failure;
    if (failure === undefined) return over();
    this.#failure = undefined;
    const { method, channel } = this.#plan;
    return lateFailure(failure, { path: method.fullName, target: channel.target });
  }

  /** The reader that leaves knows it; there is no other reader to report a failure to. */
  #leave(): void {
    for (const reader of this.#readers.splice(0)) reader(over());
    this.#call.cancel(LEFT);
    this.#failure = undefined;
  }
}

function over(): StreamStep {
  return { done: true, value: undefined };
}
