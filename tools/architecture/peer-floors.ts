/** A peer dependency of one or more packages. */
interface Peer {
  /** The range that every package with this peer has in its package.json. */
  readonly range: string;
  /** Why the range starts where it does. */
  readonly reason: string;
}

/**
 * The one range of every peer. `npm run conformance:floors` installs the lowest version of each and
 * runs the tests with it.
 */
export const PEER_FLOORS: Readonly<Record<string, Peer>> = {
  '@bufbuild/cel': {
    range: '^0.6.1',
    reason:
      'The release whose syntax tree the checker of conditions is tested with; 0.x may change it.',
  },
  '@bufbuild/protobuf': {
    range: '^2.17.0',
    reason:
      'Below 2.16 the JSON of maps of messages loses digits of 64-bit integers; below 2.17 the names ' +
      'in a descriptor set are not checked.',
  },
  '@bufbuild/protovalidate': {
    range: '^1.3.0',
    reason: 'Below it, patterns run on the engine of JavaScript, which can take exponential time.',
  },
  '@bufbuild/re2': {
    range: '^0.6.1',
    reason: 'The release that @bufbuild/cel 0.6.1 asks for: both are published together.',
  },
  '@grpc/grpc-js': {
    range: '^1.14.6',
    reason:
      'Below 1.14.4 a malformed request ends the process (CVE-2026-48068, CVE-2026-48069, high); ' +
      'below 1.14.6 a caller gets the message of the error thrown while its request was decoded.',
  },
  '@nestjs/common': {
    range: '^11.1.4 || ^12.0.1',
    reason: 'The lowest that belong to the lowest @nestjs/core.',
  },
  '@nestjs/core': {
    range: '^11.1.4 || ^12.0.1',
    reason:
      'Below 11.1.4 Nest does not tell which servers of messages an app has; 12.0.0 asks for ' +
      '@nestjs/common 11, so that npm refuses to install it next to 12.',
  },
  '@nestjs/microservices': {
    range: '^11.1.4 || ^12.0.4',
    reason:
      'The lowest that belongs to the lowest @nestjs/core. Of 12, below 12.0.4 a stream that ends ' +
      'with an error after its handler has begun to read throws where nothing catches it, which ' +
      'ends the process; what is done about it with 11 is in docs/decisions/0221.',
  },
  '@nestjs/schedule': {
    range: '^6.0.0 || ^12.0.0',
    reason: 'The first for NestJS 11, and the first for NestJS 12.',
  },
  '@nestjs/terminus': {
    range: '^11.0.0 || ^12.0.0',
    reason: 'The first for NestJS 11, and the first for NestJS 12.',
  },
  '@nestjs/websockets': {
    range: '^11.1.4 || ^12.0.1',
    reason: 'The lowest that belong to the lowest @nestjs/core.',
  },
  '@opentelemetry/api': { range: '^1.9.0', reason: 'The metrics SDK of 2.x needs it.' },
  '@opentelemetry/context-async-hooks': {
    range: '^2.12.0 || ^3.0.0',
    reason: 'Belongs to sdk-trace 2.12.0.',
  },
  '@opentelemetry/core': { range: '^2.12.0 || ^3.0.0', reason: 'Belongs to sdk-trace 2.12.0.' },
  '@opentelemetry/exporter-logs-otlp-grpc': {
    range: '>=0.223.0 <1.0.0',
    reason: 'Belongs to sdk-logs 0.223.0.',
  },
  '@opentelemetry/exporter-logs-otlp-proto': {
    range: '>=0.223.0 <1.0.0',
    reason: 'Belongs to sdk-logs 0.223.0.',
  },
  '@opentelemetry/exporter-prometheus': {
    range: '>=0.223.0 <1.0.0',
    reason:
      'Belongs to sdk-metrics 2.12.0. Below 0.217.0 a malformed request ends the process ' +
      '(CVE-2026-44902, high).',
  },
  '@opentelemetry/exporter-trace-otlp-proto': {
    range: '>=0.223.0 <1.0.0',
    reason: 'Belongs to sdk-trace 2.12.0.',
  },
  '@opentelemetry/resources': {
    range: '^2.12.0 || ^3.0.0',
    reason: 'Belongs to sdk-logs 0.223.0.',
  },
  '@opentelemetry/sdk-logs': {
    range: '>=0.223.0 <1.0.0 || ^3.0.0',
    reason: 'The lowest release of OpenTelemetry that the tests run with; 3.x has other numbers.',
  },
  '@opentelemetry/sdk-metrics': {
    range: '^2.12.0 || ^3.0.0',
    reason:
      'The release that sdk-logs 0.223.0 belongs to. Below 2.8.0 baggage in requests takes memory ' +
      'without a limit (CVE-2026-54285).',
  },
  '@opentelemetry/sdk-trace': {
    range: '^2.12.0 || ^3.0.0',
    reason: 'The lowest release of OpenTelemetry that the tests run with.',
  },
  bullmq: {
    range: '^6.7.0',
    reason: 'The lowest that `npm run conformance:bullmq` has been run with, over a real Redis.',
  },
  cockatiel: {
    range: '^3.2.1 || ^4.0.0',
    reason:
      'The last that runs on Node 20; 3.2.0 was the first with a breaker over the last calls.',
  },
  jose: { range: '^6.0.0', reason: '5.x has had no security fixes since April 2026.' },
  'reflect-metadata': {
    range: '^0.2.0',
    reason: 'The line that NestJS 11 and 12 are developed with.',
  },
  rxjs: { range: '^7.8.0', reason: 'The line that NestJS 11 and 12 are developed with.' },
  typescript: {
    range: '>=5.0.2',
    reason:
      'The first release of the line whose syntax tree the codemod knows. No upper end: apps on 7, whose compiler ' +
      'has no interface for JavaScript, install the package too; the command says then what to do.',
  },
  ws: {
    range: '^8.21.0',
    reason:
      'Below 8.21.0 tiny fragments exhaust the memory (CVE-2026-48779, high); below 8.20.1 a close ' +
      'reason can carry uninitialized memory (CVE-2026-45736).',
  },
};
