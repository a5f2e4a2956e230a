import type { Buffer } from 'node:buffer';
import type { Call, CallEnd, CallListener, CallServer, MessageOrWire } from '@apix/calls';
import { failureOfCall } from '@apix/calls/internal';
import { type CallPeer, Code, StatusError, isStatusError } from '@apix/contracts';
import { type Metadata, status as GrpcStatus } from '@grpc/grpc-js';
import type { Tool } from '../tools/tool.js';
import type { AnswerJson, WrittenJson } from './answer-json.js';

/** What all calls of tools have in common. */
export interface ToolCallRules {
  readonly json: AnswerJson;
  /** In milliseconds. */
  readonly timeout: number;
  readonly maxResultBytes: number;
  readonly maxStreamAnswers: number;
  readonly exposeServerErrors: boolean;
}

/** A call to make. */
export interface ToolRequest {
  readonly tool: Tool;
  readonly metadata: Metadata;
  readonly peer: CallPeer;
  /** As JSON; undefined: none were given. */
  readonly argumentBytes: Buffer | undefined;
}

/** How a call of a tool ended. */
export interface ToolOutcome {
  /** The last answers, as JSON. */
  readonly answers: readonly Buffer[];
  /** How many came before them. */
  readonly omitted: number;
  /** Undefined: it succeeded. */
  readonly failure: StatusError | undefined;
}

export interface ToolObserver {
  /**
   * An answer of a stream has come; the next one is read when `next` is called.
   *
   * @param count of the answers so far.
   */
  onAnswer(count: number, json: Buffer, next: () => void): void;
  /** Called once. */
  onEnd(outcome: ToolOutcome): void;
}

/** Calls the method of a tool. The returned function cancels the call. */
export function callTool(
  server: CallServer,
  request: ToolRequest,
  rules: ToolCallRules,
  observer: ToolObserver,
): () => void {
  return new ToolCall(request, rules, observer).make(server);
}

class ToolCall implements CallListener<WrittenJson> {
  readonly #request: ToolRequest;
  readonly #rules: ToolCallRules;
  readonly #observer: ToolObserver;
  readonly #isStream: boolean;
  #call!: Call;
  #answers: Buffer[] = [];
  #bytes = 0;
  #omitted = 0;
  #isOver = false;

  constructor(request: ToolRequest, rules: ToolCallRules, observer: ToolObserver) {
    this.#request = request;
    this.#rules = rules;
    this.#observer = observer;
    this.#isStream = request.tool.method.methodKind === 'server_streaming';
  }

  make(server: CallServer): () => void {
    const { tool, metadata, peer } = this.#request;
    const { json, timeout } = this.#rules;
    const deadline = Date.now() + timeout;
    const writeAnswer = json.writerOf(tool);
    const { method, path } = tool;
    this.#call = server.open({ method, path, metadata, deadline, peer, writeAnswer }, this);
    if (this.#call.whenWanted === undefined) this.#send();
    else this.#call.whenWanted(() => this.#send());
    this.#call.read();
    return () => this.#call.cancel();
  }

  /** Arguments are read when the caller has been let in. */
  #send(): void {
    if (this.#isOver) return;
    const { tool, argumentBytes } = this.#request;
    try {
      const { message, textBytes } = this.#rules.json.read(tool, argumentBytes);
      this.#call.send(message, { textBytes });
      this.#call.halfClose();
    } catch (error) {
      const failure = isStatusError(error)
        ? new StatusError(error.code, `arguments: ${error.message}`, { cause: error })
        : new StatusError(Code.INTERNAL, 'internal error', { cause: error });
      this.#call.cancel();
      this.#end(failure);
    }
  }

  onHeaders(): void {}

  onMessage(message: MessageOrWire | WrittenJson): void {
    if (this.#isOver) return;
    let json: Buffer;
    try {
      json = this.#rules.json.write(this.#request.tool, message);
    } catch (cause) {
      this.#fail(new StatusError(Code.INTERNAL, 'the answer cannot be written as JSON', { cause }));
      return;
    }
    if (json.length > this.#rules.maxResultBytes) {
      this.#fail(new StatusError(Code.RESOURCE_EXHAUSTED, TOO_LARGE));
      return;
    }
    if (!this.#isStream && this.#answers.length > 0) {
      this.#fail(new StatusError(Code.UNIMPLEMENTED, 'more than one answer was received'));
      return;
    }
    this.#keep(json);
    const next = (): void => this.#call.read();
    if (this.#isStream) this.#observer.onAnswer(this.#omitted + this.#answers.length, json, next);
    else next();
  }

  /** The oldest answers make room for it. */
  #keep(json: Buffer): void {
    const { maxStreamAnswers, maxResultBytes } = this.#rules;
    this.#answers.push(json);
    this.#bytes += json.length;
    while (this.#answers.length > maxStreamAnswers || this.#bytes > maxResultBytes) {
      this.#bytes -= this.#answers.shift()?.length ?? 0;
      this.#omitted += 1;
    }
  }

  onEnd(end: CallEnd): void {
    if (end.status.code !== GrpcStatus.OK) {
      this.#end(failureOfCall(end, this.#rules.exposeServerErrors));
    } else if (!this.#isStream && this.#answers.length === 0) {
      this.#end(new StatusError(Code.UNIMPLEMENTED, 'no answer was received'));
    } else this.#end(undefined);
  }

  #fail(failure: StatusError): void {
    this.#call.cancel();
    this.#end(failure);
  }

  #end(failure: StatusError | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#observer.onEnd({ answers: this.#answers, omitted: this.#omitted, failure });
  }
}

const TOO_LARGE = 'the answer is too large for a tool; ask for less, such as by a page size';
