import type { TappedMessage } from '../../tools/testing/grpc-tap.js';

export const ALGORITHMS = ['gzip', 'deflate'] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/** What must be seen of a case besides what its client says. */
export interface Expectation {
  /** Which messages of an end are compressed on the wire, in their order. Default: none is. */
  readonly compressed?: Readonly<Partial<Record<TappedMessage['from'], readonly boolean[]>>>;
  /** The method whose end the server must hear as a cancel. Default: none. */
  readonly cancels?: string;
}

/** The cases of gRPC's description, in its order. */
export const CASES: Readonly<Record<string, Expectation>> = {
  empty_unary: {},
  large_unary: {},
  client_compressed_unary: { compressed: { client: [false, true, false] } },
  server_compressed_unary: { compressed: { server: [true, false] } },
  client_streaming: {},
  client_compressed_streaming: { compressed: { client: [false, true, false] } },
  server_streaming: {},
  server_compressed_streaming: { compressed: { server: [true, false] } },
  ping_pong: {},
  empty_stream: {},
  custom_metadata: {},
  status_code_and_message: {},
  special_status_message: {},
  unimplemented_method: {},
  unimplemented_service: {},
  cancel_after_begin: {},
  cancel_after_first_response: { cancels: 'FullDuplexCall' },
  timeout_on_sleeping_server: {},
  concurrent_large_unary: {},
  rpc_soak: {},
  channel_soak: {},
};

/** Cases that are not run, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  cacheable_unary:
    'needs GET and a caching proxy; C-core took GET out before 1.51, grpc-js never had it',
  'compute_engine_creds, compute_engine_channel_credentials, google_default_credentials':
    'need a machine of Google Cloud',
  'jwt_token_creds, oauth2_auth_token, per_rpc_creds':
    'need an account of Google Cloud and its test server',
  'orca_per_rpc, orca_oob':
    'C-core 1.51 reports no load to Python, and the client balances by none',
};
