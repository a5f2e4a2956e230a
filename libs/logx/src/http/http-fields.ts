import type { EventShape } from '../event/event.js';
import { KnownFields } from '../event/known-fields.js';
import { parseTemplate } from '../template/parse-template.js';

/** The event of an HTTP request. */
const HTTP_SHAPE: EventShape = {
  kind: 'http',
  template: parseTemplate('{Method} {Path} -> {Status}'),
  holes: ['string', 'string', 'number'],
  fields: [
    ['status', 'count'],
    ['bytes', 'count'],
    ['remote', 'text'],
    ['duration_ms', 'ms'],
    ['route', 'text'],
    ['handler', 'text'],
    ['method', 'text'],
    ['code', 'text'],
    ['protocol', 'word'],
    ['user_agent', 'text'],
    ['ended', 'word'],
    ['stands_for', 'count'],
  ],
};

/** The values of the fields of the event of an HTTP request in addition to those of its template, in their order. */
type HttpValues = readonly [
  status: number,
  bytes: number,
  remote: string,
  durationMs: number,
  route: string | undefined,
  handler: string | undefined,
  /** The method of the gRPC call that a gateway made for the request. */
  method: string | undefined,
  code: string | undefined,
  /** How the caller makes the call, such as `connect`; undefined for plain HTTP. */
  protocol: string | undefined,
  userAgent: string | undefined,
  ended: string | undefined,
  standsFor: number | undefined,
];

export function httpFields(values: HttpValues): KnownFields {
  return new KnownFields(HTTP_SHAPE, values);
}
