import { statusOf } from '@apix/calls/grpc';
import { type CallMethod, isPromiseLike } from '@apix/contracts';
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
import type { DescMethod } from '@bufbuild/protobuf';
import { type CallAdmission, ForwardedContext } from './call-admission.js';
import { PassingTransport } from './passing-transport.js';

/** The longest delay that a timer of Node takes. */
const LONGEST_MS = 2 ** 31 - 1;

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
      const decision = admission.admit(this.#context);
      if (isPromiseLike(decision)) this.#await(decision);
      else this.#admit();
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
    this.#do((call) => call.send(message, context));
    this.#hasRequest = true;
    if (this.#isAdmitted) this.#make();
  }

  halfClose(): void {
    this.#do((call) => call.halfClose());
    this.#hasRequest = true;
    if (this.#isAdmitted) this.#make();
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
      () => this.#admit(),
      (error: unknown) => this.#deny(error),
    );
  }

  #admit(): void {
    if (this.#isOver) return;
    this.#isAdmitted = true;
    if (!this.#takesOne || this.#hasRequest) this.#make();
    for (const run of this.#whenWanted.splice(0)) run();
  }

  #make(): void {
    if (this.#made !== undefined || this.#isOver) return;
    clearTimeout(this.#timer);
    this.#made = this.#transport.open(this.#head, this.#listener);
    for (const step of this.#steps.splice(0)) step(this.#made);
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
