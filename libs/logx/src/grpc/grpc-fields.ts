import type { EventShape } from '../event/event.js';
import { KnownFields } from '../event/known-fields.js';
import { parseTemplate } from '../template/parse-template.js';

/** The event of a gRPC call. */
const GRPC_SHAPE: EventShape = {
  kind: 'grpc',
  template: parseTemplate('gRPC {Method} -> {Code}'),
  holes: ['string', 'string'],
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

/** The values of the fields of the event of a gRPC call, in their order. */
type GrpcValues = readonly [
  method: string,
  code: string,
  durationMs: number,
  remote: string | undefined,
  handler: string | undefined,
  userAgent: string | undefined,
  standsFor: number | undefined,
];

export function grpcFields(values: GrpcValues): KnownFields {
  return new KnownFields(GRPC_SHAPE, values);
}
