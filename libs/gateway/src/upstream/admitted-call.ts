import { statusOf } from '@apix/calls/grpc';
import { withDetails } from '@apix/calls/internal';
import { type CallMethod } from '@apix/contracts';
import { isPromiseLike } from '@apix/contracts/internal';
import type { CallTransport } from '@apix/grpc-client/transport';
import type {
  MessageOrWire,
  SendContext,
  Call,
  CallEnd,
  CallHead,
  CallListener,
} from '@apix/calls';
import { Metadata, status as GrpcStatus } from '@grpc/grpc-js';
import { callMethodOf } from '@apix/proto/core';
import { type DescMethod, fromBinary, type Message } from '@bufbuild/protobuf';
import { type AdmittedRequests, type CallAdmission, ForwardedContext } from './call-admission.js';
import { PassingTransport } from './passing-transport.js';

/** The longest delay that a timer of Node takes. */
const LONGEST_MS = 2 ** 31 - 1;

/** A request, or the end of them, on its way to the server. */
interface Request {
  /** Decides about it. */
  readonly check: () => unknown;
  readonly step: (call: Call) => void;
}

/**
 * A call that is made only after it was admitted and, if it has a single request, after that has arrived:
 * callers that are refused, and unreadable requests, cost the server nothing.
 */
class CallOnceAdmitted<Written extends object> implements Call {
  readonly #transport: CallTransport;
  readonly #head: CallHead<Written>;
  readonly #listener: CallListener<Written>;
  readonly #takesOne: boolean;
  #context: ForwardedContext | undefined;
  #made: Call | undefined;
  #isAdmitted = false;
  /** Its requests have begun, or ended. */
  #hasRequest = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;
  /** What decides about its requests; undefined: nothing. */
  #requests: AdmittedRequests | undefined;
  /** Requests that are not decided about yet. */
  readonly #undecided: Request[] = [];
  #isDeciding = false;
  /** What was asked of the call before it was made. */
  #steps: ((call: Call) => void)[] = [];
  #whenWanted: (() => void)[] = [];

  constructor(transport: CallTransport, head: CallHead<Written>, listener: CallListener<Written>) {
    const { methodKind } = head.method;
    this.#transport = transport;
    this.#head = head;
    this.#listener = listener;
    this.#takesOne = methodKind === 'unary' || methodKind === 'server_streaming';
  }

  begin(admission: CallAdmission, method: CallMethod): void {
    this.#context = new ForwardedContext(method, this.#head.metadata);
    try {
      const decision =
        admission.begin === undefined
          ? admission.admit(this.#context)
          : admission.begin(this.#context);
      if (isPromiseLike(decision)) this.#await(decision);
      else this.#admit(decision);
    } catch (error) {
      this.#deny(error);
    }
    if (this.#made === undefined && !this.#isOver) this.#watchDeadline();
  }

  whenWanted(run: () => void): void {
    if (this.#isOver) return;
    if (this.#isAdmitted) run();
    else this.#whenWanted.push(run);
  }

  send(message: MessageOrWire, context?: SendContext): void {
    this.#pass({
      check: () => this.#requests?.onMessage?.(this.#messageOf(message)),
      step: (call) => call.send(message, context),
    });
  }

  halfClose(): void {
    this.#pass({
      check: () => (this.#hasRequest ? undefined : this.#requests?.onNoMessage?.()),
      step: (call) => call.halfClose(),
    });
  }

  #messageOf(message: MessageOrWire): unknown {
    return message instanceof Uint8Array ? fromBinary(this.#head.method.input, message) : message;
  }

  #pass(request: Request): void {
    if (this.#isOver) return;
    this.#undecided.push(request);
    if (this.#isAdmitted) this.#decide();
  }

  /** Decides about the requests that wait, in their order. */
  #decide(): void {
    while (!this.#isDeciding && !this.#isOver) {
      const request = this.#undecided.shift();
      if (request === undefined) return;
      try {
        const decision = request.check();
        if (isPromiseLike(decision)) {
          this.#isDeciding = true;
          void this.#decideLater(decision, request);
        } else this.#forward(request);
      } catch (error) {
        this.#deny(error);
      }
    }
  }

  async #decideLater(decision: PromiseLike<unknown>, request: Request): Promise<void> {
    try {
      await decision;
    } catch (error) {
      this.#deny(error);
      return;
    }
    this.#isDeciding = false;
    if (this.#isOver) return;
    this.#forward(request);
    this.#decide();
  }

  #forward({ step }: Request): void {
    this.#do(step);
    this.#hasRequest = true;
    this.#make();
  }

  read(): void {
    this.#do((call) => call.read());
  }

  cancel(): void {
    if (this.#made === undefined) this.#end(GrpcStatus.CANCELLED, 'Cancelled on client');
    else this.#made.cancel();
  }

  #await(decision: PromiseLike<unknown>): void {
    void Promise.resolve(decision).then(
      (begun) => this.#admit(begun),
      (error: unknown) => this.#deny(error),
    );
  }

  #admit(decision: unknown): void {
    if (this.#isOver) return;
    this.#isAdmitted = true;
    this.#requests = requestsIn(decision);
    if (!this.#takesOne && !this.#decidesRequests) this.#make();
    this.#decide();
    if (this.#isOver) return;
    for (const run of this.#whenWanted.splice(0)) run();
  }

  #make(): void {
    if (this.#made !== undefined || this.#isOver) return;
    clearTimeout(this.#timer);
    const listener = this.#requests === undefined ? this.#listener : this.#untilOver();
    const isShown = this.#requests?.onAnswer === undefined;
    // What is written for the caller at the server has what the caller may not see.
    const head = isShown ? this.#head : { ...this.#head, writeAnswer: undefined };
    this.#made = this.#transport.open(head, listener);
    for (const step of this.#steps.splice(0)) step(this.#made);
  }

  /** Of a call that a later request may end. */
  #untilOver(): CallListener<Written> {
    const listener = this.#listener;
    return {
      onHeaders: (headers) => {
        if (!this.#isOver) listener.onHeaders(headers);
      },
      onMessage: (message) => {
        if (this.#isOver) return;
        let shown = message;
        try {
          shown = this.#shown(message);
        } catch (error) {
          this.#deny(error);
          return;
        }
        listener.onMessage(shown);
      },
      onEnd: (end) => {
        if (this.#isOver) return;
        this.#isOver = true;
        this.#context?.abort();
        const requests = this.#requests;
        const status =
          requests?.onDetails === undefined
            ? end.status
            : withDetails(end.status, (details) => requests.onDetails!(details));
        listener.onEnd({ ...end, status });
      },
    };
  }

  get #decidesRequests(): boolean {
    const requests = this.#requests;
    return requests?.onMessage !== undefined || requests?.onNoMessage !== undefined;
  }

  #shown(message: MessageOrWire | Written): MessageOrWire | Written {
    if (this.#requests?.onAnswer === undefined) return message;
    const answer =
      message instanceof Uint8Array ? fromBinary(this.#head.method.output, message) : message;
    return this.#requests.onAnswer(answer) as Message;
  }

  #do(step: (call: Call) => void): void {
    if (this.#made !== undefined) step(this.#made);
    else if (!this.#isOver) this.#steps.push(step);
  }

  #deny(error: unknown): void {
    const { code, details, metadata } = statusOf(error);
    this.#finish({
      status: { code, details, metadata: metadata ?? new Metadata() },
      fromServer: true,
    });
  }

  #end(code: GrpcStatus, details: string): void {
    this.#finish({ status: { code, details, metadata: new Metadata() }, fromServer: false });
  }

  /** In a later turn: no callback runs before `open` has returned the call. */
  #finish(end: CallEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#made?.cancel();
    this.#steps = [];
    this.#whenWanted = [];
    this.#context?.abort();
    queueMicrotask(() => this.#listener.onEnd(end));
  }

  #watchDeadline(): void {
    const left = this.#head.deadline - Date.now();
    if (left > LONGEST_MS) return;
    this.#timer = setTimeout(
      () => this.#end(GrpcStatus.DEADLINE_EXCEEDED, 'Deadline exceeded'),
      Math.max(0, left),
    );
  }
}

/** What an admission has left to decide, if that is anything. */
function requestsIn(decision: unknown): AdmittedRequests | undefined {
  const requests = Object(decision) as AdmittedRequests;
  const hooks = ['onMessage', 'onNoMessage', 'onAnswer', 'onDetails'] as const;
  return hooks.some((name) => requests[name] !== undefined) ? requests : undefined;
}

/** Makes the calls over a network that an admission in this process allows. */
export class AdmittedCalls extends PassingTransport {
  readonly #admission: CallAdmission;
  /** As many as there are methods. */
  readonly #methods = new Map<DescMethod, CallMethod>();

  constructor(transport: CallTransport, admission: CallAdmission) {
    super(transport);
    this.#admission = admission;
  }

  override open<Written extends object = never>(
    head: CallHead<Written>,
    listener: CallListener<Written>,
  ): Call {
    const call = new CallOnceAdmitted(this.transport, head, listener);
    call.begin(this.#admission, this.#methodOf(head.method));
    return call;
  }

  #methodOf(desc: DescMethod): CallMethod {
    let method = this.#methods.get(desc);
    if (method === undefined) this.#methods.set(desc, (method = callMethodOf(desc)));
    return method;
  }
}
