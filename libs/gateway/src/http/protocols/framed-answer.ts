import type { ServerResponse } from 'node:http';
import { endResponse, writePart } from '@apix/contracts';
import type { Metadata } from '@grpc/grpc-js';
import { closeUnlessComplete } from '@apix/calls/internal';
import type { Compressor } from './coding.js';
import { COMPRESSED, framed } from './message-frames.js';
import type { RpcAnswer, RpcContext, RpcOutcome } from './protocol.js';
import { setRpcHeaders } from './rpc-headers.js';

/** What protocols differ in whose answers are messages with heads: one for each content type. */
export interface FramedForm {
  readonly contentType: string;
  /** The header that names the coding of compressed messages. */
  readonly encodingHeader: 'connect-content-encoding' | 'grpc-encoding';
  /** Whether bytes travel as base64. */
  readonly isText: boolean;
  /** Ends an answer, which may not have begun. */
  readonly finish: (answer: FramedAnswer, outcome: RpcOutcome, context: RpcContext) => void;
}

/** An answer of messages with heads of five bytes. */
export class FramedAnswer implements RpcAnswer {
  constructor(
    readonly res: ServerResponse,
    private readonly form: FramedForm,
    readonly compressor: Compressor | undefined,
    private readonly context: RpcContext,
  ) {}

  begin(headers: Metadata | undefined): void {
    const { res, form, compressor } = this;
    if (res.headersSent) return;
    setRpcHeaders(res, headers, '', this.context.options.responseHeaders);
    res.setHeader('content-type', form.contentType);
    if (compressor !== undefined) res.setHeader(form.encodingHeader, compressor.name);
    // Proxies would keep messages back until there are enough of them.
    res.setHeader('x-accel-buffering', 'no');
    res.setHeader('x-content-type-options', 'nosniff');
    closeUnlessComplete(res);
    res.writeHead(200);
  }

  message(bytes: Uint8Array, isCompressed: boolean): boolean {
    return this.write(framed(isCompressed ? COMPRESSED : 0, bytes));
  }

  end(outcome: RpcOutcome): void {
    this.form.finish(this, outcome, this.context);
  }

  /** Ends the response with a frame of its own, after the head and the messages. */
  endWith(flags: number, bytes: Uint8Array): void {
    endResponse(this.res, this.encoded(framed(flags, bytes)));
  }

  /** Ends the response with trailers of HTTP, after the head and the messages. */
  endWithTrailers(headers: Metadata | undefined, trailers: ReadonlyMap<string, string[]>): void {
    const { res } = this;
    this.begin(headers);
    // With the head still to come, an answer to an incomplete request would lose them.
    writePart(res, '');
    res.addTrailers(Object.fromEntries(trailers));
    endResponse(res);
  }

  /** Ends the response without messages. */
  endAtHead(headers: Iterable<readonly [name: string, value: string | string[]]>): void {
    const { res, form } = this;
    res.setHeader('content-type', form.contentType);
    for (const [name, value] of headers) res.setHeader(name, value);
    closeUnlessComplete(res);
    res.statusCode = 200;
    endResponse(res);
  }

  private write(frame: Buffer): boolean {
    return writePart(this.res, this.encoded(frame));
  }

  private encoded(frame: Buffer): Buffer | string {
    return this.form.isText ? frame.toString('base64') : frame;
  }
}
