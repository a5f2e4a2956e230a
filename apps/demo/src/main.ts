import 'reflect-metadata';
import { runHost } from '@apix/hostx';
import { ShopModule } from './shop.module.js';

await runHost(ShopModule);
