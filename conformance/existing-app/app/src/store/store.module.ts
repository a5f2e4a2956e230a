import { Global, Module } from '@nestjs/common';
import { Store } from './store.js';
import { Supplier } from './supplier.js';

@Global()
@Module({ providers: [Store, Supplier], exports: [Store, Supplier] })
export class StoreModule {}
