import type { Any } from '@bufbuild/protobuf/wkt';
import type { Failure, Fields } from '../suite/verdict.js';
import { CodeNumber, codeOfHttp } from '../wire/codes.js';
import { FrameReader } from '../wire/frames.js';
import { noTrailers } from './connect.js';
import { fieldComplaints } from './field-complaints.js';
import {
  COMPRESSED,
  type ClientProtocol,
  codecName,
  compressionName,
  decodeMessage,
  encodeFrame,
  failure,
  inflated,
  one,
  wholeBody,
} from './protocol.js';
import { readRpcStatus } from './rpc-status.js';

const TRAILERS = 0x80;
/** Keys of the status are no metadata of the user's. */
const STATUS_KEYS = new Set(['grpc-status', 'grpc-message', 'grpc-status-details-bin']);

export const grpc = protocolOf('application/grpc', false);
export const grpcWeb = protocolOf('application/grpc-web', true);

function protocolOf(type: string, isWeb: boolean): ClientProtocol {
  return {
    head(call, method, writing) {
      const algorithm = compressionName(writing);
      return {
        method: 'POST',
        path: `/${method.parent.typeName}/${method.name}`,
        headers: {
          'content-type': `${type}+${codecName(writing)}`,
          'user-agent': 'apix-conformance',
          ...(isWeb ? { 'x-grpc-web': '1' } : { te: 'trailers' }),
          ...(call.timeoutMs !== undefined && { 'grpc-timeout': `${call.timeoutMs}m` }),
          ...(algorithm !== undefined && {
            'grpc-encoding': algorithm,
            'grpc-accept-encoding': algorithm,
          }),
        },
      };
    },

    encode: encodeFrame,

    async read(response, method, writing, { onMessage }) {
      const { status, headers } = response;
      const given = one(response, 'content-type') ?? '';
      const codec = codecName(writing);
      const isType = given === `${type}+${codec}` || (given === type && codec === 'proto');
      if (status !== 200 || !isType) {
        await wholeBody(response);
        const told = headers.has('grpc-status') && status === 200;
        const code = status === 200 ? CodeNumber.internal : codeOfHttp(status);
        const error = told
          ? readStatus(headers, []).error
          : failure(code, `HTTP ${status} with ${given || 'no content type'}`);
        const complaints = told ? [`the answer has the type ${given}`] : [];
        return { status, headers, trailers: new Map(), complaints, ...(error && { error }) };
      }
      const algorithm = one(response, 'grpc-encoding');
      const frames = new FrameReader(response.body);
      let ending: Fields | undefined;
      const complaints: string[] = [];
      let messages = 0;
      for (;;) {
        const frame = await frames.next();
        if (frame === undefined) break;
        if (ending !== undefined) throw new Error('a message follows the trailers');
        const { flags } = frame;
        const data = (flags & COMPRESSED) === 0 ? frame.data : inflated(frame.data, algorithm);
        if (isWeb && (flags & TRAILERS) !== 0) ending = readTrailers(data.toString(), complaints);
        else {
          messages += 1;
          onMessage(decodeMessage(method.output, data, writing));
        }
      }
      if (isWeb) complaints.push(...noTrailers(response));
      else if (response.trailers().size > 0) ending = response.trailers();
      // An answer that is nothing but a status has it in its headers.
      const isStatusAlone = ending === undefined && messages === 0;
      const { error, metadata } = readStatus(ending ?? headers, complaints);
      complaints.push(...fieldComplaints(isStatusAlone ? new Map() : headers, metadata));
      const isOneAnswer = method.methodKind === 'unary' || method.methodKind === 'client_streaming';
      const wrongCount =
        isOneAnswer && error === undefined && messages !== 1
          ? failure(CodeNumber.unimplemented, `${messages} messages for one answer`)
          : undefined;
      const ended = error ?? wrongCount;
      return { status, headers, trailers: metadata, complaints, ...(ended && { error: ended }) };
    },
  };
}

/** The block of trailers in the last message of gRPC-Web: fields in lower case, each ended by CRLF. */
function readTrailers(text: string, complaints: string[]): Fields {
  const fields = new Map<string, string[]>();
  if (!text.endsWith('\r\n')) complaints.push('the trailers do not end with CRLF');
  for (const line of text.replace(/\r\n$/, '').split('\r\n')) {
    const [, name, value] = /^([^:]+):[ \t]*([^\r\n]*?)[ \t]*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      complaints.push(`the trailers have the invalid line ${JSON.stringify(line)}`);
      continue;
    }
    if (name !== name.toLowerCase()) complaints.push(`the trailer ${name} is not in lower case`);
    const key = name.toLowerCase();
    fields.set(key, [...(fields.get(key) ?? []), value]);
  }
  return fields;
}

/** The status in trailers, or in the headers of an answer that has nothing else. */
function readStatus(
  fields: Fields,
  complaints: string[],
): { readonly error?: Failure; readonly metadata: Fields } {
  const metadata = new Map([...fields].filter(([name]) => !STATUS_KEYS.has(name)));
  const values = fields.get('grpc-status') ?? [];
  if (values.length !== 1 || !/^(?:\d|1[0-6])$/.test(values[0]!)) {
    complaints.push(`the trailers have the status ${JSON.stringify(values)}`);
    return { metadata, error: failure(CodeNumber.unknown, 'no status') };
  }
  const code = Number(values[0]);
  const encoded = fields.get('grpc-message')?.[0] ?? '';
  if (!/^(?:[\u0020-\u0024\u0026-\u007e]|%[0-9a-fA-F]{2})*$/.test(encoded)) {
    complaints.push(`grpc-message is not percent-encoded: ${encoded}`);
  }
  if (code === 0 && encoded !== '') complaints.push('a success has a grpc-message');
  const message = percentDecoded(encoded);
  const packed = fields.get('grpc-status-details-bin')?.[0];
  const details = packed === undefined ? [] : readDetails(packed, code, message, complaints);
  return code === 0 ? { metadata } : { metadata, error: failure(code, message, details) };
}

function percentDecoded(text: string): string {
  return Buffer.from(
    text.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  ).toString();
}

/** A google.rpc.Status: the code, the message and the details. */
function readDetails(
  packed: string,
  code: number,
  message: string,
  complaints: string[],
): readonly Any[] {
  if (!/^[A-Za-z0-9+/]*$/.test(packed)) {
    complaints.push(`grpc-status-details-bin is not unpadded base64: ${packed}`);
  }
  const status = readRpcStatus(Buffer.from(packed, 'base64'));
  if (status.code !== code) complaints.push(`the details are of the code ${status.code}`);
  if (status.message !== message) complaints.push(`the details say "${status.message}"`);
  if (code === 0 && status.details.length > 0) complaints.push('a success has details');
  return status.details;
}
