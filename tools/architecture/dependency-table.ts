interface Row {
  /** Packages of this repository that it may import. */
  readonly siblings: readonly string[];
  /** Third-party packages that it may bring along; peers are not listed. */
  readonly dependencies: readonly string[];
}

/** Which package may depend on what. The families authz, logx and hostx never meet. */
export const DEPENDENCY_TABLE: Readonly<Record<string, Row>> = {
  contracts: { siblings: [], dependencies: [] },
  calls: { siblings: ['contracts'], dependencies: [] },
  proto: { siblings: ['contracts'], dependencies: [] },
  authz: { siblings: ['contracts', 'calls', 'proto'], dependencies: ['yaml'] },
  logx: { siblings: ['contracts', 'calls'], dependencies: ['pino', 'yaml'] },
  'logx-codemod': { siblings: ['contracts'], dependencies: [] },
  'logx-elastic': { siblings: ['contracts', 'logx'], dependencies: [] },
  'logx-otel': { siblings: ['contracts', 'logx'], dependencies: [] },
  hostx: { siblings: ['contracts'], dependencies: ['yaml'] },
  http2: { siblings: [], dependencies: [] },
  'grpc-client': { siblings: ['contracts', 'calls', 'proto', 'http2'], dependencies: [] },
  grpc: {
    siblings: ['contracts', 'calls', 'proto', 'hostx', 'http2', 'grpc-client'],
    dependencies: ['grpc-health-check'],
  },
  gateway: {
    siblings: ['contracts', 'calls', 'proto', 'hostx', 'grpc-client'],
    dependencies: [],
  },
  mcp: { siblings: ['contracts', 'calls', 'proto', 'hostx'], dependencies: [] },
  cron: { siblings: ['contracts', 'hostx'], dependencies: ['croner'] },
  'swagger-ui': { siblings: ['contracts'], dependencies: ['swagger-ui-dist'] },
  'host-page': { siblings: ['contracts', 'hostx'], dependencies: [] },
  'hostx-os': { siblings: ['contracts', 'hostx'], dependencies: ['koffi'] },
  otel: { siblings: ['contracts', 'calls', 'hostx'], dependencies: [] },
  start: { siblings: [], dependencies: [] },
  'gateway-server': {
    siblings: [
      'contracts',
      'proto',
      'authz',
      'grpc-client',
      'gateway',
      'hostx',
      'logx',
      'mcp',
      'otel',
      'swagger-ui',
    ],
    // An app, not a library: it brings what the others leave to their users.
    dependencies: [
      '@bufbuild/cel',
      '@bufbuild/protobuf',
      '@bufbuild/re2',
      '@grpc/grpc-js',
      '@opentelemetry/api',
      '@opentelemetry/exporter-prometheus',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-metrics',
      'jose',
      'ws',
      'yaml',
    ],
  },
};
