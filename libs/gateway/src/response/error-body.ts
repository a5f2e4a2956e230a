import { problemOf, problemTypeFor } from '@apix/calls';
import { redactMessage, type StatusDetail } from '@apix/contracts';
import type { JsonCodec } from '@apix/proto/core';
import { create } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import type { HttpRefusal } from '../errors.js';
import type { ResponseBody } from './response-body.js';

/** `problem`: a problem document (RFC 9457); `status`: google.rpc.Status as JSON. */
export type ErrorFormat = 'problem' | 'status';

/**
 * Writes an error as a response body.
 *
 * @param accept the header of the request.
 */
export function errorBody(
  refusal: HttpRefusal,
  format: ErrorFormat,
  json: JsonCodec,
  accept?: string,
): ResponseBody {
  const { status: error, httpStatus } = refusal;
  const renderDetail = (detail: StatusDetail) => detailJson(detail, json);
  if (format === 'problem') {
    const problem = problemOf(error, { status: httpStatus, renderDetail });
    return { contentType: problemTypeFor(accept), bytes: Buffer.from(JSON.stringify(problem)) };
  }
  const details = error.details.map((detail) => renderDetail(detail) ?? rawDetail(detail));
  const status = { code: error.code, message: error.message, details };
  return { contentType: 'application/json', bytes: Buffer.from(JSON.stringify(status)) };
}

/** A packed message as ProtoJSON, without what is not to be shown; undefined for a type that the registry does not know. */
function detailJson(detail: StatusDetail, json: JsonCodec): Record<string, unknown> | undefined {
  try {
    const any = create(AnySchema, { typeUrl: detail.typeUrl, value: detail.value });
    return json.toShownValue(AnySchema, any) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function rawDetail(detail: StatusDetail): Record<string, unknown> {
  const { typeUrl, value } = redactMessage(detail) as { typeUrl: string; value: unknown };
  const shown = value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
  return { '@type': typeUrl, value: shown };
}
