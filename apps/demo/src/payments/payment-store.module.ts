import { OnStopped, StartupTask } from '@apix/hostx';
import { SingleInstance } from '@apix/hostx-os';
import { Inject, Logger, Module } from '@nestjs/common';
import type { Database } from '../store/database.js';
import { migrate } from '../store/migrate.js';
import { openDatabase } from '../store/open-database.js';
import { PAYMENT_MIGRATIONS } from './payment-migrations.js';
import { PaymentStore } from './payment-store.js';

const DATABASE = Symbol('Database');

/** The data of payments: in the shop's PostgreSQL, in tables of their own, or in an embedded one of their own. */
@Module({
  providers: [
    // The lock first: two processes must not open the same folder.
    { provide: DATABASE, inject: [SingleInstance], useFactory: () => openDatabase('payments') },
    {
      provide: PaymentStore,
      inject: [DATABASE],
      useFactory: (db: Database) => new PaymentStore(db),
    },
  ],
  exports: [PaymentStore],
})
export class PaymentStoreModule {
  private readonly logger = new Logger('Store');

  constructor(@Inject(DATABASE) private readonly db: Database) {}

  @StartupTask('migrations')
  async migrate(): Promise<void> {
    const steps = await migrate(this.db, PAYMENT_MIGRATIONS, 'payment_migrations');
    this.logger.log(`${this.db.description}: ${steps.length} migration(s) run`);
  }

  @OnStopped()
  close(): Promise<void> {
    return this.db.close();
  }
}
