import { type EventShape, KnownFields, type KnownValue } from '../event/known-fields.js';

/** The event of a gRPC call. */
const GRPC_SHAPE: EventShape = {
  template: 'gRPC {Method} -> {Code}',
  holes: [
    ['Method', 'string'],
    ['Code', 'string'],
  ],
  fields: [
    ['method', 'text'],
    ['code', 'word'],
    ['duration_ms', 'ms'],
    ['remote', 'text'],
    ['handler', 'text'],
    ['user_agent', 'text'],
    ['stands_for', 'count'],
  ],
};

/** The template of the event of a gRPC call. */
export const GRPC_TEMPLATE = GRPC_SHAPE.template;

/** The fields of the event of a gRPC call, in their order. */
export class GrpcFields extends KnownFields {
  constructor(
    readonly method: string,
    readonly code: string,
    readonly duration_ms: number,
    readonly remote: string | undefined,
    readonly handler: string | undefined,
    readonly user_agent: string | undefined,
    readonly stands_for: number | undefined,
  ) {
    super();
  }

  override get shape(): EventShape {
    return GRPC_SHAPE;
  }

  override get values(): readonly KnownValue[] {
    return [
      this.method,
      this.code,
      this.duration_ms,
      this.remote,
      this.handler,
      this.user_agent,
      this.stands_for,
    ];
  }
}
