import type { CodecName, MessageFraming, RequestForm, RpcAnswer, RpcForm } from './protocol.js';

/** A request in the terms of its protocol: a class and no literal. Why: docs/decisions/0522 */
export class ReadForm implements RpcForm {
  constructor(
    readonly codec: CodecName,
    readonly timeout: () => number | undefined,
    readonly requests: RequestForm,
    readonly answer: RpcAnswer,
  ) {}
}

/** How the messages of a request come: a class and no literal, as {@link ReadForm}. */
export class ReadRequests implements RequestForm {
  constructor(
    readonly framing: 'body' | MessageFraming,
    readonly coding: string,
    readonly given?: () => Buffer,
  ) {}
}
