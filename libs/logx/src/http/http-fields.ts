import { type EventShape, KnownFields, type KnownValue } from '../event/known-fields.js';

/** The event of an HTTP request. */
const HTTP_SHAPE: EventShape = {
  template: '{Method} {Path} -> {Status}',
  holes: [
    ['Method', 'string'],
    ['Path', 'string'],
    ['Status', 'number'],
  ],
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

/** The template of the event of an HTTP request. */
export const HTTP_TEMPLATE = HTTP_SHAPE.template;

/** The fields of the event of an HTTP request in addition to those of its template, in their order. */
export class HttpFields extends KnownFields {
  constructor(
    readonly status: number,
    readonly bytes: number,
    readonly remote: string,
    readonly duration_ms: number,
    readonly route: string | undefined,
    readonly handler: string | undefined,
    /** The method of the gRPC call that a gateway made for the request. */
    readonly method: string | undefined,
    readonly code: string | undefined,
    /** How the caller makes the call, such as `connect`; undefined for plain HTTP. */
    readonly protocol: string | undefined,
    readonly user_agent: string | undefined,
    readonly ended: string | undefined,
    readonly stands_for: number | undefined,
  ) {
    super();
  }

  override get shape(): EventShape {
    return HTTP_SHAPE;
  }

  override get values(): readonly KnownValue[] {
    return [
      this.status,
      this.bytes,
      this.remote,
      this.duration_ms,
      this.route,
      this.handler,
      this.method,
      this.code,
      this.protocol,
      this.user_agent,
      this.ended,
      this.stands_for,
    ];
  }
}
