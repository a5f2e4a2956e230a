import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Redis } from 'ioredis';
import { settings } from '../settings.js';

/** The team's database. */
@Injectable()
export class Store implements OnModuleInit, OnModuleDestroy {
  readonly #redis = new Redis({ ...settings.redis, lazyConnect: true });

  async onModuleInit(): Promise<void> {
    await this.#redis.connect();
  }

  async ping(): Promise<void> {
    await this.#redis.ping();
  }

  async record(what: string): Promise<void> {
    await this.#redis.rpush('ledger', what);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#redis.rpush('ledger', 'store closed');
    await this.#redis.quit();
  }
}
