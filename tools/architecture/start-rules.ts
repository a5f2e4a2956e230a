import { type Rule, edgesOf } from './import-rules.js';

/**
 * What takes milliseconds to load and is for some apps or some options alone. Modules get parts of
 * Node by `process.getBuiltinModule`, packages by `import()` or `require`, where they are used.
 */
// Why: docs/decisions/0313
const LOADED_WHEN_USED: ReadonlySet<string> = new Set([
  'node:child_process',
  'node:crypto',
  // Its import also loads the WebSocket and fetch of Node 24: 15 MB.
  'node:http',
  'node:http2',
  'node:https',
  'node:inspector',
  // Its import opens stdin, stdout and stderr; the global `process` does not.
  'node:process',
  'node:worker_threads',
  'node:zlib',
  '@opentelemetry/exporter-logs-otlp-grpc',
  '@opentelemetry/exporter-logs-otlp-proto',
  'koffi',
  'swagger-ui-dist',
]);

/** Clients beside grpc-js, which has loaded both. */
const LOADED_BY_GRPC_JS: ReadonlySet<string> = new Set(['node:http2', 'node:zlib']);
const BESIDE_GRPC_JS = 'libs/grpc-client/src/transport/http2/';

/** Importing a package loads nothing of {@link LOADED_WHEN_USED}. */
export const startsLoadLittle: Rule = (packages) =>
  edgesOf(packages).flatMap(({ pkg, from, target, typeOnly, isCall }) => {
    if (target.kind !== 'external' || typeOnly || isCall) return [];
    if (!LOADED_WHEN_USED.has(target.packageName)) return [];
    const place = `libs/${pkg.folder}/src/${from.path}`;
    if (place.startsWith(BESIDE_GRPC_JS) && LOADED_BY_GRPC_JS.has(target.packageName)) return [];
    return [`${place} loads ${target.packageName} before it is known whether it is used`];
  });
