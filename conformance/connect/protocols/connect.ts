import { fieldComplaints } from './field-complaints.js';
import type { Fields } from '../suite/verdict.js';
import { CodeNumber, codeOfHttp } from '../wire/codes.js';
import { decompressed } from '../wire/compression.js';
import type { Response } from '../wire/connection.js';
import { FrameReader } from '../wire/frames.js';
import { readEndOfStream, readError } from './connect-error.js';
import {
  COMPRESSED,
  type ClientProtocol,
  type End,
  codecName,
  compress,
  compressionName,
  decodeMessage,
  encodeFrame,
  encodeMessage,
  failure,
  inflated,
  one,
  wholeBody,
} from './protocol.js';

const END_OF_STREAM = 2;

/** The fields of the request's head that both kinds have. */
function common(timeoutMs: number | undefined): Record<string, string> {
  return {
    'connect-protocol-version': '1',
    'user-agent': 'apix-conformance',
    ...(timeoutMs !== undefined && { 'connect-timeout-ms': String(timeoutMs) }),
  };
}

export const connectUnary: ClientProtocol = {
  head(call, method, writing) {
    const path = `/${method.parent.typeName}/${method.name}`;
    const algorithm = compressionName(writing);
    const accepted = algorithm === undefined ? {} : { 'accept-encoding': algorithm };
    const { 'connect-protocol-version': _, ...shared } = common(call.timeoutMs);
    if (call.useGetHttpMethod) {
      const encoding = codecName(writing);
      const data = Buffer.from(encodeMessage(call.requestMessages[0]!, writing));
      const query = new URLSearchParams({ connect: 'v1', encoding });
      if (encoding === 'json') query.set('message', data.toString());
      else query.set('message', data.toString('base64url'));
      if (encoding === 'proto') query.set('base64', '1');
      return {
        method: 'GET',
        path: `${path}?${query.toString()}`,
        headers: { ...shared, ...accepted },
      };
    }
    return {
      method: 'POST',
      path,
      headers: {
        ...common(call.timeoutMs),
        ...accepted,
        'content-type': `application/${codecName(writing)}`,
        ...(algorithm !== undefined && { 'content-encoding': algorithm }),
      },
    };
  },

  encode: (message, writing) => Buffer.from(compress(encodeMessage(message, writing), writing)),

  async read(response, method, writing, { onMessage }) {
    const { status } = response;
    const body = await wholeBody(response);
    const complaints = noTrailers(response);
    const [headers, trailers] = split(response.headers);
    const end = (error?: End['error']): End => ({
      status,
      headers,
      trailers,
      complaints: [...complaints, ...fieldComplaints(headers, trailers)],
      ...(error !== undefined && { error }),
    });
    const type = one(response, 'content-type') ?? '';
    const isError = status !== 200;
    if (isError && !/^application\/json(?:;|$)/.test(type)) {
      return end(failure(codeOfHttp(status), `HTTP ${status} with ${type || 'no content type'}`));
    }
    if (!isError && type.replace('; charset=utf-8', '') !== `application/${codecName(writing)}`) {
      return end(failure(CodeNumber.internal, `an answer of the type ${type}`));
    }
    const data = decompressed(one(response, 'content-encoding'), body);
    if (isError) {
      return end(readError(JSON.parse(data.toString()), codeOfHttp(status), complaints));
    }
    onMessage(decodeMessage(method.output, data, writing));
    return end();
  },
};

/** Trailers of unary answers are headers with a prefix. */
function split(fields: Fields): readonly [headers: Fields, trailers: Fields] {
  const prefix = 'trailer-';
  const entries = [...fields];
  return [
    new Map(entries.filter(([name]) => !name.startsWith(prefix))),
    new Map(
      entries
        .filter(([name]) => name.startsWith(prefix))
        .map(([name, values]) => [name.slice(prefix.length), values]),
    ),
  ];
}

/** Only gRPC has trailers of HTTP. To be called when the body has been read. */
export function noTrailers(response: Response): string[] {
  const { size } = response.trailers();
  return size === 0 ? [] : [`the answer has ${size} trailers of HTTP, and should have none`];
}

export const connectStream: ClientProtocol = {
  head(call, method, writing) {
    const algorithm = compressionName(writing);
    return {
      method: 'POST',
      path: `/${method.parent.typeName}/${method.name}`,
      headers: {
        ...common(call.timeoutMs),
        'content-type': `application/connect+${codecName(writing)}`,
        ...(algorithm !== undefined && {
          'connect-content-encoding': algorithm,
          'connect-accept-encoding': algorithm,
        }),
      },
    };
  },

  encode: encodeFrame,

  async read(response, method, writing, { onMessage }) {
    const { status, headers } = response;
    const type = one(response, 'content-type') ?? '';
    if (status !== 200 || type !== `application/connect+${codecName(writing)}`) {
      await wholeBody(response);
      const code = status === 200 ? CodeNumber.internal : codeOfHttp(status);
      const error = failure(code, `HTTP ${status} with ${type || 'no content type'}`);
      return { status, headers, trailers: new Map(), error, complaints: noTrailers(response) };
    }
    const algorithm = one(response, 'connect-content-encoding');
    const frames = new FrameReader(response.body);
    for (;;) {
      const frame = await frames.next();
      if (frame === undefined) throw new Error('the stream has no end-of-stream message');
      const { flags } = frame;
      const data = (flags & COMPRESSED) === 0 ? frame.data : inflated(frame.data, algorithm);
      if ((flags & END_OF_STREAM) === 0) {
        onMessage(decodeMessage(method.output, data, writing));
        continue;
      }
      const complaints: string[] = [];
      const { error, trailers } = readEndOfStream(data, complaints);
      if ((await frames.next()) !== undefined) complaints.push('a message follows the last one');
      complaints.push(...noTrailers(response), ...fieldComplaints(headers, trailers));
      return { status, headers, trailers, complaints, ...(error !== undefined && { error }) };
    }
  },
};
