import { Code } from '@apix/contracts';
import type { Message } from '@bufbuild/protobuf';
import type { ResponseStream } from '../client-types.js';
import { type CallFailure, errorOf } from './call-failure.js';
import type { ClientCallOptions } from './call-options.js';
import type { MethodPlan } from './method-plan.js';
import { type AnswerTaker, OngoingCall } from './ongoing-call.js';

/** What a reader gets. */
type StreamStep = { readonly message: Message } | { readonly end: CallFailure | undefined };

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
  readonly #readers: ((step: StreamStep) => void)[] = [];
  #isReading = false;
  /** How the call ended; its failure is told once. */
  #end: { failure: CallFailure | undefined } | undefined;

  constructor(plan: MethodPlan, options: ClientCallOptions) {
    this.#plan = plan;
    this.#call = new OngoingCall(plan, options, this);
  }

  begin(request: unknown): void {
    this.#call.begin(request);
  }

  async next(): Promise<IteratorResult<Message, undefined>> {
    const step = await this.#step();
    if ('message' in step) return { done: false, value: step.message };
    if (step.end === undefined) return { done: true, value: undefined };
    const { method, channel } = this.#plan;
    // Made here, so that its stack names those who wait for it.
    throw errorOf(step.end, { path: method.fullName, target: channel.target });
  }

  /** As `break` in a `for await` does: ends the call, and with it every `next` that still waits. */
  async return(): Promise<IteratorResult<Message, undefined>> {
    this.#leave();
    return { done: true, value: undefined };
  }

  async throw(error: unknown): Promise<IteratorResult<Message, undefined>> {
    this.#leave();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  onMessage(message: Message): void {
    this.#isReading = false;
    this.#readers.shift()?.({ message });
    this.#read();
  }

  onEnd(failure: CallFailure | undefined): void {
    this.#end = { failure };
    for (const reader of this.#readers.splice(0)) reader(this.#lastStep());
  }

  #step(): Promise<StreamStep> {
    if (this.#end !== undefined) return Promise.resolve(this.#lastStep());
    return new Promise((resolve) => {
      this.#readers.push(resolve);
      this.#read();
    });
  }

  #read(): void {
    if (this.#isReading || this.#readers.length === 0) return;
    this.#isReading = true;
    this.#call.read();
  }

  #lastStep(): StreamStep {
    const { failure } = this.#end!;
    this.#end = { failure: undefined };
    return { end: failure };
  }

  /** Who leaves knows; nobody else is told of a failure. */
  #leave(): void {
    for (const reader of this.#readers.splice(0)) reader({ end: undefined });
    this.#call.cancel(LEFT);
    this.#end = { failure: undefined };
  }
}
