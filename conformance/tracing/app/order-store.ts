import { PGlite } from '@electric-sql/pglite';
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { SpanKind, trace } from '@opentelemetry/api';

/** Orders in a real database, whose calls are traced by hand, as an app without instrumentation does. */
@Injectable()
export class OrderStore implements OnModuleInit, OnModuleDestroy {
  readonly #db = new PGlite();

  async onModuleInit(): Promise<void> {
    await this.#db.exec('CREATE TABLE orders (name text PRIMARY KEY, customer text)');
  }

  async onModuleDestroy(): Promise<void> {
    await this.#db.close();
  }

  async insert(name: string, customer: string): Promise<void> {
    const options = { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } };
    await trace.getTracer('app').startActiveSpan('INSERT orders', options, async (span) => {
      await this.#db.query('INSERT INTO orders VALUES ($1, $2)', [name, customer]);
      span.end();
    });
  }
}
