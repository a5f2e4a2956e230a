import { type Metadata, status } from '@grpc/grpc-js';
import type { SentStatus } from '../in-process/handler-call.js';

const BEGIN = [':status', '200', 'content-type', 'application/grpc+proto'] as const;

const PLAIN = encodedBy('identity');

/** The headers of an answer, names and values by turns. */
export function answerHeaders(metadata: Metadata | null, encoding: string): readonly string[] {
  const begin = encoding === 'identity' ? PLAIN : encodedBy(encoding);
  const own = metadata === null ? [] : fieldsOf(metadata);
  return own.length === 0 ? begin : [...begin, ...own];
}

/** The fields of a status, which are the trailers. */
export function statusFields({ code, details, metadata }: SentStatus): string[] {
  const fields = ['grpc-status', String(code ?? status.UNKNOWN), 'grpc-message', encoded(details)];
  if (metadata) fields.push(...fieldsOf(metadata));
  return fields;
}

/** The headers of an answer that is only a status. */
export function statusHeaders(sent: SentStatus): string[] {
  return [...BEGIN, ...statusFields(sent)];
}

function encodedBy(encoding: string): readonly string[] {
  return [...BEGIN, 'grpc-encoding', encoding, 'grpc-accept-encoding', 'identity,deflate,gzip'];
}

function fieldsOf(metadata: Metadata): string[] {
  const fields: string[] = [];
  const headers = metadata.toHttp2Headers();
  for (const key in headers) {
    const value = headers[key];
    if (value === undefined) continue;
    if (Array.isArray(value)) for (const each of value) fields.push(key, each);
    else fields.push(key, String(value));
  }
  return fields;
}

/** As grpc-js does it. */
function encoded(text: string | undefined): string {
  return text === undefined || text === 'OK' ? (text ?? '') : encodeURI(text);
}
