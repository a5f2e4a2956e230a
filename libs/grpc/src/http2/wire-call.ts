import { AsyncResource } from 'node:async_hooks';
import { noteFailure } from '@apix/calls/grpc';
import type { StagedCarrier } from '@apix/calls/internal';
import { HTTP2_ERROR, type Http2ServerStream, type ServerStreamListener } from '@apix/http2';
import { type Metadata, type ServerInterceptingCallInterface, status } from '@grpc/grpc-js';
import type { SentStatus } from '../in-process/handler-call.js';
import { tooLargeToSend } from '../in-process/message-path.js';
import { NO_RECORDER } from '../in-process/no-recorder.js';
import { type HandlerListener, runHandler } from '../in-process/run-handler.js';
import type { ServedHandler } from '../in-process/served-handler.js';
import { AnswerMessages } from './answer-messages.js';
import { answerHeaders, statusFields, statusHeaders } from './answer-headers.js';
import { type CallRequest, takesEncoding } from './call-request.js';
import { RequestMessages, type RequestReceiver } from './request-messages.js';
import type { CallRules, WireCarrier } from './wire-carrier.js';

type MetricsRecorder = ReturnType<ServerInterceptingCallInterface['getMetricsRecorder']>;
type Soon = (run: (call: WireCall) => void, call: WireCall) => void;

/**
 * A call that came over a connection of our own HTTP/2: for interceptors and handlers the same as the end of a
 * call in-process. Nothing that they throw gets out of it.
 */
// Why: docs/decisions/0487
export class WireCall implements StagedCarrier, ServerStreamListener, RequestReceiver {
  watcher: StagedCarrier['watcher'] = undefined;
  readonly #rules: CallRules;
  readonly #carrier: WireCarrier;
  readonly #stream: Http2ServerStream;
  readonly #head: CallRequest;
  readonly #served: ServedHandler;
  /** Of this call alone: what a handler enters must not be in another call of the connection. */
  readonly #scope = new AsyncResource('ApixGrpcCall', { requireManualDestroy: true });
  readonly #requests: RequestMessages;
  readonly #answers: AnswerMessages;
  readonly #encoding: string;
  readonly #deadline: number;
  #timer: NodeJS.Timeout | undefined;
  #listener: HandlerListener | undefined;
  #hasHeaders = false;
  /** Nothing is sent any more. */
  #isOver = false;
  /** A handler that has begun in this turn listens in the next one. */
  #leavesBy: Soon = (run, call) => process.nextTick(run, call);

  constructor(
    rules: CallRules,
    carrier: WireCarrier,
    stream: Http2ServerStream,
    head: CallRequest,
    served: ServedHandler,
  ) {
    const { compression, limits } = rules;
    this.#rules = rules;
    this.#carrier = carrier;
    this.#stream = stream;
    this.#head = head;
    this.#served = served;
    const { requestDeserialize: deserialize } = served.definition;
    const { encoding, timeoutMs } = head;
    const reading = { deserialize, encoding, maxBytes: limits.request };
    this.#requests = new RequestMessages(stream, reading, this);
    this.#answers = new AnswerMessages(rules, stream, this.#scope, (limit) =>
      this.#overflow(limit),
    );
    this.#deadline = Number.isNaN(timeoutMs) ? Infinity : Date.now() + timeoutMs;
    const isCompressed = compression !== undefined && takesEncoding(head, compression.algorithm);
    this.#encoding = isCompressed ? compression.algorithm : 'identity';
  }

  /** Passes the call to the interceptors, and then to its handler. */
  begin(): void {
    this.#scope.runInAsyncScope(run, undefined, this);
  }

  /** For {@link begin}, in the asynchronous context of the call. */
  run(): void {
    const { timeoutMs } = this.#head;
    if (Number.isFinite(timeoutMs)) {
      this.#timer = setTimeout(() => this.#onDeadline(), timeoutMs);
    }
    const refusal = Number.isNaN(timeoutMs) ? this.#badTimeout() : undefined;
    try {
      runHandler(this, this.#rules.callInterceptors, this.#served, refusal);
    } catch {
      this.#fail('internal error');
    }
  }

  onData(data: Buffer): void {
    if (!this.#isOver) this.#scope.runInAsyncScope(receive, undefined, this.#requests, data);
  }

  onEnd(): void {
    if (!this.#isOver) this.#scope.runInAsyncScope(endOf, undefined, this.#requests);
  }

  /** The caller has reset the call, or is gone. */
  onClosed(): void {
    this.#answers.closed();
    if (!this.#isOver) this.#leave(setImmediate);
  }

  /** The status has left. */
  onAnswered(): void {
    this.#answers.closed();
  }

  onMessage(message: unknown): void {
    try {
      this.#listener?.onReceiveMessage(message);
    } catch {
      this.#fail('internal error');
    }
  }

  /**
   * A client of grpc-js that cancels also ends its requests, and its reset comes a moment later: a stream of requests
   * ends a turn after the last of them, so that a handler does not take a cancelled one for a whole one.
   */
  onHalfClose(): void {
    const { type } = this.#served;
    if (type === 'clientStream' || type === 'bidi') setImmediate(endRequests, this);
    else this.endRequests();
  }

  endRequests(): void {
    if (this.#isOver) return;
    try {
      this.#listener?.onReceiveHalfClose();
    } catch {
      this.#fail('internal error');
    }
  }

  refuse(given: SentStatus): void {
    this.#leavesBy = setImmediate;
    this.#refuse(given);
  }

  start(listener: HandlerListener): void {
    if (this.#isOver) return;
    this.#listener = listener;
    listener.onReceiveMetadata(this.#head.metadata);
  }

  startRead(): void {
    if (!this.#isOver) this.#requests.read();
  }

  sendMetadata(metadata: Metadata | null): void {
    if (this.#isOver || this.#hasHeaders) return;
    this.#hasHeaders = true;
    this.#stream.respond(answerHeaders(metadata, this.#encoding));
  }

  sendMessage(message: unknown, callback: () => void): void {
    if (this.#isOver) return;
    let bytes: Buffer;
    try {
      bytes = this.#served.definition.responseSerialize(message);
    } catch (error) {
      noteFailure(this.#head.metadata, error);
      this.#fail('Error serializing response');
      return;
    }
    const refusal = tooLargeToSend(bytes, this.#rules.limits.sent);
    if (refusal !== undefined) this.#refuse(refusal);
    else {
      // The algorithm of its messages has to be known before the first of them.
      this.sendMetadata(null);
      this.#answers.send(message, bytes, this.#encoding !== 'identity', callback);
    }
  }

  sendStatus(sent: SentStatus): void {
    if (this.#isOver) return;
    if (this.#hasHeaders) this.#stream.end(statusFields(sent));
    else {
      this.#hasHeaders = true;
      this.#stream.respond(statusHeaders(sent), true);
    }
    this.#leave(this.#leavesBy);
  }

  getPeer(): string {
    const { remoteAddress, remotePort } = this.#carrier.info;
    if (remoteAddress === undefined) return 'unknown';
    return remotePort === undefined ? remoteAddress : `${remoteAddress}:${remotePort}`;
  }

  getDeadline(): number {
    return this.#deadline;
  }

  getHost(): string {
    return this.#head.host;
  }

  getAuthContext(): WireCarrier['authContext'] {
    return this.#carrier.authContext;
  }

  getConnectionInfo(): WireCarrier['info'] {
    return this.#carrier.info;
  }

  /** There is no load balancer to report to. */
  getMetricsRecorder(): MetricsRecorder {
    return NO_RECORDER;
  }

  #overflow(limitBytes: number): void {
    // For the log alone: it would have to wait behind the message.
    const details = `the answers of all calls that wait for their callers exceed ${limitBytes} bytes`;
    this.#refuse({ code: status.RESOURCE_EXHAUSTED, details, metadata: null });
    this.#answers.closed();
    // The code that means RESOURCE_EXHAUSTED in gRPC (PROTOCOL-HTTP2.md, Errors).
    this.#stream.close(HTTP2_ERROR.enhanceYourCalm);
  }

  /** Status and reset: what waits for a caller that does not read would keep the status from leaving. */
  #onDeadline(): void {
    const details = 'Deadline exceeded';
    this.#refuse({ code: status.DEADLINE_EXCEEDED, details, metadata: null });
    if (this.#stream.unsentBytes > 0) this.#stream.close(HTTP2_ERROR.cancel);
  }

  #badTimeout(): SentStatus {
    const details = `Invalid grpc-timeout value "${this.#head.timeout}"`;
    return { code: status.INTERNAL, details, metadata: null };
  }

  #fail(details: string): void {
    this.#refuse({ code: status.INTERNAL, details, metadata: null });
  }

  /** Ends the call by a status that did not come through the stages. */
  #refuse(own: SentStatus): void {
    if (!this.#isOver) this.sendStatus(this.watcher?.onStatus(own) ?? own);
  }

  /** The call is over for its handler, in whatever way; it is called later, as by grpc-js. */
  #leave(soon: Soon): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#requests.stop();
    this.#answers.stop();
    this.#carrier.ended();
    this.#scope.runInAsyncScope(soon, undefined, cancelled, this);
  }

  /** For {@link #leave}. */
  cancelled(): void {
    try {
      this.#listener?.onCancel();
    } catch {
      // Its call is over.
    }
  }
}

function run(call: WireCall): void {
  call.run();
}

function receive(requests: RequestMessages, data: Buffer): void {
  requests.receive(data);
}

function endOf(requests: RequestMessages): void {
  requests.end();
}

function endRequests(call: WireCall): void {
  call.endRequests();
}

function cancelled(call: WireCall): void {
  call.cancelled();
}
