/** The instrumentation scope of this package. */
export const SCOPE_NAME = '@apix/otel';

/** Attributes that spans of every kind may have, as the semantic conventions name them. */
export const ERROR_TYPE = 'error.type';
export const SERVER_ADDRESS = 'server.address';
export const SERVER_PORT = 'server.port';
export const CLIENT_ADDRESS = 'client.address';
export const CLIENT_PORT = 'client.port';

/** The id of the request that work is a part of, as its log events have it. */
export const REQUEST_ID = 'apix.request.id';

/** Attributes of calls, as the semantic conventions for gRPC have them. */
export const RPC_SYSTEM_NAME = 'rpc.system.name';
export const RPC_METHOD = 'rpc.method';
export const RPC_STATUS_CODE = 'rpc.status_code';

/** The value of {@link RPC_SYSTEM_NAME}. */
export const GRPC_SYSTEM = 'grpc';

/** How often a call was made again before the attempt that counted; the conventions have no name for it. */
export const RESEND_COUNT = 'apix.rpc.resend_count';

/** The protocol of the call that a request of HTTP makes: `connect`, `grpc-web` or `grpc`. */
export const RPC_PROTOCOL = 'apix.rpc.protocol';

/** Before the names of what an entry point says of a request: `apix.mcp.tool`. */
export const FACT_PREFIX = 'apix.';

/** Attributes of HTTP requests, received and sent, as the stable semantic conventions have them. */
export const HTTP_REQUEST_METHOD = 'http.request.method';
export const HTTP_REQUEST_METHOD_ORIGINAL = 'http.request.method_original';
export const HTTP_RESPONSE_STATUS_CODE = 'http.response.status_code';
export const HTTP_ROUTE = 'http.route';
export const URL_FULL = 'url.full';
export const URL_PATH = 'url.path';
export const URL_QUERY = 'url.query';
export const URL_SCHEME = 'url.scheme';
export const USER_AGENT_ORIGINAL = 'user_agent.original';
export const NETWORK_PROTOCOL_VERSION = 'network.protocol.version';

/** The prefixes of attributes of headers. */
export const HTTP_REQUEST_HEADER_PREFIX = 'http.request.header.';
export const HTTP_RESPONSE_HEADER_PREFIX = 'http.response.header.';

/** The side that ended a response before it was complete: `caller` or `server`. */
export const HTTP_ENDED_BY = 'apix.http.ended';

/** Attributes of the conventions for messaging. */
export const MESSAGING_SYSTEM = 'messaging.system.name';
export const MESSAGING_OPERATION_NAME = 'messaging.operation.name';
export const MESSAGING_OPERATION_TYPE = 'messaging.operation.type';
export const MESSAGING_DESTINATION_NAME = 'messaging.destination.name';
export const MESSAGING_PARTITION = 'messaging.destination.partition.id';
export const MESSAGING_MESSAGE_ID = 'messaging.message.id';
export const MESSAGING_BATCH_COUNT = 'messaging.batch.message_count';
export const MESSAGING_KAFKA_OFFSET = 'kafka.offset';

/** Set for messages over a WebSocket. */
export const NETWORK_PROTOCOL_NAME = 'network.protocol.name';

/** The kind and the name of a unit of work of the host. */
export const WORK_KIND = 'hostx.work.kind';
export const WORK_NAME = 'hostx.work.name';

/** Attributes of the conventions for GraphQL. */
export const GRAPHQL_OPERATION_TYPE = 'graphql.operation.type';
export const GRAPHQL_OPERATION_NAME = 'graphql.operation.name';
export const GRAPHQL_DOCUMENT = 'graphql.document';

/** A method as `Class.method`, of the conventions for source code. */
export const CODE_FUNCTION_NAME = 'code.function.name';

/** Names of metrics and attributes as in OpenTelemetry's semantic conventions for processes, Node.js and V8. */
export const CPU_TIME = 'process.cpu.time';
export const MEMORY_USAGE = 'process.memory.usage';
export const UPTIME = 'process.uptime';
export const LOOP_DELAY_MIN = 'nodejs.eventloop.delay.min';
export const LOOP_DELAY_MAX = 'nodejs.eventloop.delay.max';
export const LOOP_DELAY_MEAN = 'nodejs.eventloop.delay.mean';
export const LOOP_DELAY_STDDEV = 'nodejs.eventloop.delay.stddev';
export const LOOP_DELAY_P50 = 'nodejs.eventloop.delay.p50';
export const LOOP_DELAY_P90 = 'nodejs.eventloop.delay.p90';
export const LOOP_DELAY_P99 = 'nodejs.eventloop.delay.p99';
export const LOOP_TIME = 'nodejs.eventloop.time';
export const LOOP_UTILIZATION = 'nodejs.eventloop.utilization';
export const HEAP_USED = 'v8js.memory.heap.used';
export const HEAP_SPACE_SIZE = 'v8js.memory.heap.space.size';
export const GC_DURATION = 'v8js.gc.duration';

export const CPU_MODE = 'cpu.mode';
export const LOOP_STATE = 'nodejs.eventloop.state';
export const HEAP_SPACE = 'v8js.heap.space.name';
export const GC_TYPE = 'v8js.gc.type';
