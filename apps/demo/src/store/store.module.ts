import { OnStopped, StartupTask } from '@apix/hostx';
import { SingleInstance, SingleInstanceModule } from '@apix/hostx-os';
import { Global, Inject, Logger, Module } from '@nestjs/common';
import { join } from 'node:path';
import { dataFolder } from '../assets.js';
import { ProductStore } from '../catalog/product-store.js';
import { OrderStore } from '../orders/order-store.js';
import type { Database } from './database.js';
import { migrate } from './migrate.js';
import { MIGRATIONS } from './migrations.js';
import { openDatabase } from './open-database.js';

/** Token of the {@link Database}. */
export const DATABASE = Symbol('Database');

/**
 * The shop's data: PostgreSQL at DATABASE_URL, or embedded in DATA_DIR (default `data/shop`). Two
 * processes must not open the same folder, so a second shop does not start.
 */
@Global()
@Module({
  imports: [SingleInstanceModule.forRoot({ path: join(dataFolder(), 'shop.lock') })],
  providers: [
    {
      provide: DATABASE,
      inject: [SingleInstance],
      useFactory: (): Promise<Database> => openDatabase('db'),
    },
    {
      provide: ProductStore,
      inject: [DATABASE],
      useFactory: (db: Database) => new ProductStore(db),
    },
    { provide: OrderStore, inject: [DATABASE], useFactory: (db: Database) => new OrderStore(db) },
  ],
  exports: [DATABASE, ProductStore, OrderStore],
})
export class StoreModule {
  private readonly logger = new Logger('Store');

  constructor(@Inject(DATABASE) private readonly db: Database) {}

  @StartupTask('migrations', { once: true })
  async migrate(): Promise<void> {
    const steps = await migrate(this.db, MIGRATIONS, 'migrations');
    this.logger.log(`${this.db.description}: ${steps.length} migration(s) run`);
  }

  @OnStopped()
  close(): Promise<void> {
    return this.db.close();
  }
}
