// The app of ../http-app.ts with Nest 11, as OpenTelemetry's own instrumentations trace it:
// `node app.cjs traced|untraced`. They patch what is required after them.
'use strict';
if (process.argv[2] === 'traced') instrument();
require('reflect-metadata');
const { Controller, Get, Module, Param } = require('@nestjs/common');
const { NestFactory } = require('@nestjs/core');
const { FastifyAdapter } = require('@nestjs/platform-fastify');

class OrdersController {
  find(id) {
    return { id, lines: [{ sku: 'A-1', count: 2 }], total: 41.5 };
  }
}
const find = Object.getOwnPropertyDescriptor(OrdersController.prototype, 'find');
Get(':id')(OrdersController.prototype, 'find', find);
Param('id')(OrdersController.prototype, 'find', 0);
Controller('orders')(OrdersController);

class AppModule {}
Module({ controllers: [OrdersController] })(AppModule);

let exported = 0;

async function main() {
  const app = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: false });
  await app.listen(0, '127.0.0.1');
  process.on('message', () => process.send({ cpu: process.cpuUsage(), exported }));
  process.on('disconnect', () => process.exit());
  process.send({ port: app.getHttpServer().address().port });
}
void main();

function instrument() {
  const { registerInstrumentations } = require('@opentelemetry/instrumentation');
  const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http');
  const { NestInstrumentation } = require('@opentelemetry/instrumentation-nestjs-core');
  const { BatchSpanProcessor } = require('@opentelemetry/sdk-trace-base');
  const { NodeTracerProvider } = require('@opentelemetry/sdk-trace-node');
  const exporter = {
    export(spans, done) {
      exported += spans.length;
      done({ code: 0 });
    },
    shutdown: () => Promise.resolve(),
  };
  new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] }).register();
  registerInstrumentations({
    instrumentations: [new HttpInstrumentation(), new NestInstrumentation()],
  });
}
